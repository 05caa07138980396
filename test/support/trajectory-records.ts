import fc from 'fast-check'
import { Float, pythonJson } from './python-json.js'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', 'null', '{"a":1.0}', '[]', '{', 'ü漢😀', 'tag\tname\n', '_OTHER'),
)
const filled = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), fc.constantFrom('{"a":1}', '漢'))
const count = fc.nat(100_000)
const float = fc
  .oneof(fc.double(), fc.constantFrom(0, 0.1 + 0.2, 1e-5, 1e16, 75, 1e22, 0.0001, Number.NaN, Infinity))
  .filter((value) => !Object.is(value, -0))
  .map((value) => new Float(value))
const score = fc.constantFrom(0, 0.8, 1, 0.8500000000000001).map((value) => new Float(value))
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null })
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })
const record = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(shape, { noNullPrototype: true })
const stamp = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '@'))

const info = fc.constantFrom<object>(
  {},
  { done: true },
  { fail: true },
  { score: new Float(1), note: '漢', list: [1, null] },
)
const actionObject = fc.constantFrom<object>(
  { action_type: 'CLICK', x: 10, y: new Float(20) },
  { type: 'type', text: 'ü"', action_type: 'TYPE' },
)
const action = fc.oneof(text, actionObject)

const usage = record({ model: text, prompt_tokens: count, completion_tokens: count }).chain((head) =>
  fc
    .oneof(fc.constant(head.prompt_tokens + head.completion_tokens), count)
    .map((total_tokens) => ({ ...head, total_tokens })),
)

const worldModel = record({
  semantic_delta: orNull(text),
  element_changes: fc.constantFrom<object>({}, { new_elements: ['a', '漢'], removed_elements: [] }),
  long_term_impact: orNull(text),
  risk_explanation: text,
  violated_policy_ids: fc.array(fc.constantFrom('P000', 'P001'), { maxLength: 2 }),
  optimization_guidance: orNull(text),
  risk_score: score,
})

const judged = record({ risk_score: score, risk_explanation: text, is_safe: fc.boolean() })
const assessment = fc.oneof(
  fc.tuple(judged, orNull(worldModel)).map(([head, world_model_output]) => ({ ...head, world_model_output })),
  fc.tuple(judged, worldModel).map(([head, output]) => ({ ...head, world_model_output: { ...output, ...pick(head) } })),
  fc
    .tuple(judged, fc.constantFrom('aligned', 'deviated'), text)
    .map(([head, task_alignment, task_alignment_explanation]) => ({
      ...head,
      task_alignment,
      task_alignment_explanation,
    })),
)

/** The world model's own risk usually equals the guardrail's. */
const pick = ({ risk_score, risk_explanation }: { risk_score: Float; risk_explanation: string }) => ({
  risk_score,
  risk_explanation,
})

const planUpdate = record({ should_update_plan: fc.boolean(), optimization_guidance: text, update_reason: text })
const safetyInfo = fc
  .tuple(fc.array(assessment, { minLength: 1, maxLength: 3 }), optional(planUpdate))
  .map(([entries, plan_update]) => ({
    ...Object.fromEntries(entries.map((entry, index) => [`action_${index}`, entry])),
    plan_update,
  }))

const result = (taken: unknown) =>
  fc
    .tuple(
      stamp,
      fc.boolean(),
      info,
      float,
      optional(record({ type: fc.constantFrom('TimeoutError', ''), message: text })),
    )
    .map(([action_timestamp, done, reported, action_duration_seconds, raised]) => ({
      action: taken,
      action_timestamp,
      reward: raised ? new Float(0) : 0,
      done,
      info: reported,
      action_duration_seconds,
      error: raised && { ...raised, timestamp: action_timestamp, action: taken },
    }))

const acts = fc
  .array(action, { maxLength: 3 })
  .chain((actions) => fc.tuple(fc.constant(actions), fc.nat(3), fc.tuple(...actions.map(result))))
  .map(([actions, length, results]) => ({
    actions,
    action_results: length > 0 && results.length > 0 ? results.slice(0, length) : undefined,
  }))

const responseItems = fc.constantFrom<object[]>(
  [{ id: 'rs_1', type: 'reasoning', summary: [] }],
  [{ type: 'message', content: [{ type: 'output_text', text: 'x', score: new Float(1) }] }, { type: 'computer_call' }],
)

const step = fc
  .tuple(
    acts,
    fc.record({
      step_idx: fc.nat(15),
      timestamp: stamp,
      response: fc.oneof({ arbitrary: text, weight: 4 }, responseItems),
      screenshot_file: text,
      a11y_tree: text,
      _empty_step: optional(fc.constant(true)),
      world_model_output: optional(worldModel),
      safety_info: optional(safetyInfo),
      token_usage: optional(usage),
      world_model_token_usage: optional(usage),
      harmonyguard_token_usage: optional(usage),
      reactive_token_usage: optional(usage),
      step_duration_seconds: optional(float),
      next_state_a11y_tree: optional(filled),
      plan: optional(record({ current_plan: filled })),
      errors: optional(
        fc.array(record({ type: text, message: text, timestamp: stamp, action }), { minLength: 1, maxLength: 2 }),
      ),
    }),
  )
  .map(([{ actions, action_results }, own]) => {
    const { step_idx, timestamp, response, screenshot_file, a11y_tree, _empty_step, ...rest } = own
    const { next_state_a11y_tree, plan, errors, ...evaluation } = rest
    const head = { step_idx, timestamp, response, actions, screenshot_file, a11y_tree, _empty_step }
    return { ...head, ...evaluation, action_results, next_state_a11y_tree, plan, errors }
  })

const taskMetadata = record({
  task_id: text,
  task_instruction: text,
  task_params: fc
    .tuple(optional(text), text, float)
    .map(([platform, model, top_p]) => ({ platform, model, max_tokens: 1500, top_p, action_space: 'pyautogui' })),
  injection: orNull(fc.constantFrom<object>({ type: 'website', goals: ['ssh'], params: { x: new Float(2) } })),
  jailbreak: fc.boolean(),
})

const cumulativeStats = record({
  total_tokens_used: count,
  total_world_model_tokens_used: count,
  total_harmonyguard_tokens_used: count,
  total_reactive_tokens_used: count,
  total_steps: count,
  total_actions_executed: count,
})

const totals = fc.tuple(float, cumulativeStats).map(([total, cumulative_stats]) => ({
  total_duration_seconds: total,
  total_duration_minutes: new Float(total.value / 60),
  cumulative_stats,
}))

/** A canonical execution_trajectory.json: of several runs, with or without totals. */
export const trajectoryText = fc
  .tuple(fc.array(step, { maxLength: 4 }), taskMetadata, fc.option(totals, { nil: {} }))
  .map(([steps, task_metadata, end]) => pythonJson({ steps, task_metadata, ...end }, { indent: true }))

const line = record({
  step_num: fc.integer({ min: 1, max: 4 }),
  action_timestamp: stamp,
  action,
  reward: fc.constantFrom(0, 1, new Float(0.5)),
  done: fc.boolean(),
  info,
  screenshot_file: text,
})

const crash = fc.constant({ Error: 'Time limit exceeded in chrome/1' })

/** A canonical traj.jsonl: of several runs, some of them crashed. */
export const trajText = fc
  .array(fc.oneof({ arbitrary: line, weight: 5 }, crash), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.map((value) => `${pythonJson(value, { ascii: true })}\n`).join(''))
