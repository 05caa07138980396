import fc from 'fast-check'
import { Float, pythonJson } from './python-json.js'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', 'null', '{"a":1.0}', '[]', '{', 'ü漢😀', 'line\nline', '[\n  1,\n  2\n]'),
)
const id = fc.constantFrom('call_1', 'call_2', 'call_3', '')
const count = fc.nat(100_000)
const float = fc
  .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, 1e-5, 75, 1e16))
  .filter((value) => !Object.is(value, -0))
  .map((value) => new Float(value))
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })
const record = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(shape, { noNullPrototype: true })
const extra = optional(
  fc.constantFrom<object>({}, { a: null, list: [1, new Float(2.5)] }, { 漢: { deep: [[1, 2], [3]] }, planspan: 'no' }),
)
const time = fc.oneof(
  fc
    .date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom('2026-10-12T08:00:00+00:00', '2026-10-12 08:00:00.123456', '2026-10-12', '20261012T080000Z'),
)
const content = fc.oneof(
  { arbitrary: text, weight: 4 },
  fc.constantFrom<object[]>(
    [],
    [
      { type: 'text', text: 'Like this:' },
      { type: 'image', source: { media_type: 'image/png', path: 'a.png' } },
    ],
  ),
)

const call = record({
  tool_call_id: id,
  function_name: text,
  arguments: fc.constantFrom<object>({}, { command: 'ls', x: new Float(1), n: null, ids: [1, 2] }),
  extra,
})
const reported = record({
  content: optional(content),
  subagent_trajectory_ref: optional(
    fc.array(record({ trajectory_id: fc.constantFrom('sub-1', 'sub-2', 'elsewhere') }), { minLength: 1, maxLength: 2 }),
  ),
  extra,
})

/** Calls with results in any order; some results match no call. */
const acts = fc.array(call, { minLength: 1, maxLength: 3 }).chain((tool_calls) =>
  fc
    .array(fc.tuple(optional(fc.constantFrom(...tool_calls.map((one) => one.tool_call_id))), reported), {
      maxLength: 4,
    })
    .map((results) => ({
      tool_calls,
      observation: { results: results.map(([source_call_id, result]) => ({ source_call_id, ...result })) },
    })),
)
const observation = record({ results: fc.array(reported, { maxLength: 2 }) })
const doing = fc.oneof(
  acts,
  acts.map(({ tool_calls }) => ({ tool_calls, observation: undefined })),
  optional(observation).map((observed) => ({ tool_calls: undefined, observation: observed })),
)

const metrics = record({
  prompt_tokens: optional(count),
  completion_tokens: count,
  cached_tokens: optional(count),
  cost_usd: optional(float),
  prompt_token_ids: optional(fc.array(count, { maxLength: 3 })),
  completion_token_ids: optional(fc.array(count, { maxLength: 3 })),
  logprobs: optional(fc.array(float, { maxLength: 3 })),
  extra,
})

const ends = record({ is_copied_context: optional(fc.boolean()), llm_call_count: optional(fc.nat(3)), extra })

/** The last keys of a step, in the order of Harbor or of the package. */
type Ends = { readonly is_copied_context?: unknown; readonly llm_call_count?: unknown; readonly extra?: unknown }
const ORDERS = {
  harbor: ({ is_copied_context, llm_call_count, extra: more }: Ends) => ({
    is_copied_context,
    llm_call_count,
    extra: more,
  }),
  package: ({ is_copied_context, llm_call_count, extra: more }: Ends) => ({
    extra: more,
    llm_call_count,
    is_copied_context,
  }),
}
type Writer = keyof typeof ORDERS

const turn = (writer: Writer) =>
  fc
    .tuple(
      doing,
      ends,
      record({
        timestamp: optional(time),
        model_name: optional(text),
        reasoning_effort: optional(fc.oneof(fc.constantFrom('high', 'low'), float)),
        message: content,
        reasoning_content: optional(text),
        metrics: optional(metrics),
      }),
    )
    .map(([{ tool_calls, observation: observed }, last, { metrics: measured, ...head }]) => {
      const { timestamp, model_name, reasoning_effort, message, reasoning_content } = head
      const isModels = last.llm_call_count !== 0
      return {
        timestamp,
        source: 'agent',
        model_name,
        reasoning_effort,
        message,
        reasoning_content: isModels ? reasoning_content : undefined,
        tool_calls,
        observation: observed,
        metrics: isModels ? measured : undefined,
        ...ORDERS[writer](last),
      }
    })

const message = (writer: Writer) =>
  fc
    .tuple(
      record({
        timestamp: optional(time),
        source: fc.constantFrom('system', 'user'),
        message: content,
        observation: optional(observation),
      }),
      ends,
    )
    .map(([head, last]) => ({ ...head, ...ORDERS[writer](last) }))

const agent = record({
  name: text,
  version: text,
  model_name: optional(text),
  tool_definitions: optional(fc.constantFrom<object[]>([], [{ type: 'function', function: { name: 'bash' } }])),
  extra,
})

const total = record({
  total_prompt_tokens: optional(count),
  total_completion_tokens: count,
  total_cached_tokens: optional(count),
  total_cost_usd: optional(float),
  total_steps: optional(count),
  extra,
})

function trajectory(writer: Writer, depth: number, ids: fc.Arbitrary<string | undefined>): fc.Arbitrary<object> {
  const steps = fc
    .array(fc.oneof({ arbitrary: turn(writer), weight: 3 }, message(writer)), { maxLength: 5 })
    .map((list) => list.map((step, index) => ({ step_id: index + 1, ...step })))
  const embedded =
    depth === 0
      ? fc.constant(undefined)
      : optional(
          fc.tuple(
            trajectory(writer, depth - 1, fc.constant('sub-1')),
            trajectory(writer, depth - 1, fc.constant('sub-2')),
          ),
        )
  return record({
    schema_version: fc.constantFrom('ATIF-v1.0', 'ATIF-v1.5', 'ATIF-v1.6', 'ATIF-v1.7', 'ATIF-v1.8'),
    session_id: optional(text),
    trajectory_id: ids,
    agent,
    steps,
    notes: optional(text),
    final_metrics: optional(total),
    continued_trajectory_ref: optional(text),
    extra,
    subagent_trajectories: embedded,
  })
}

/** Harbor writes lists of numbers on one line everywhere. */
const flat = (json: string): string =>
  json.replaceAll(/\[\s*\n\s*-?\d[\d.eE+-]*(?:,\s*\n\s*-?\d[\d.eE+-]*)*\s*\n\s*\]/g, (list) =>
    list.replaceAll(/\s+/g, '').replaceAll(',', ', '),
  )

/** A canonical trajectory, as Harbor or the package writes it. */
export const atifText = (writer: Writer): fc.Arbitrary<string> =>
  trajectory(writer, 2, optional(text)).map((document) => {
    const json = pythonJson(document, { indent: true, ascii: true })
    return writer === 'harbor' ? flat(json) : json
  })
