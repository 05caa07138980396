import fc from 'fast-check'
import { jsonSpace, jsonText } from './arbitrary-json.js'

export interface Keys {
  readonly [key: string]: Keys | 'value' | readonly [Keys]
}

const prediction: Keys = {
  semantic_delta: 'value',
  element_changes: 'value',
  risk_explanation: 'value',
  violated_policy_ids: 'value',
  risk_score: 'value',
}
const usage: Keys = { model: 'value', prompt_tokens: 'value', completion_tokens: 'value', total_tokens: 'value' }
const judged: Keys = {
  risk_score: 'value',
  is_safe: 'value',
  world_model_output: prediction,
  task_alignment: 'value',
  x: 'value',
}
const stats: Keys = { total_steps: 'value', total_tokens_used: 'value', more: 'value' }
const error: Keys = { type: 'value', message: 'value', timestamp: 'value', action: 'value', more: 'value' }
const action: Keys = { action_type: 'value', x: 'value' }
const step: Keys = {
  step_idx: 'value',
  timestamp: 'value',
  response: 'value',
  actions: [action],
  a11y_tree: 'value',
  world_model_output: prediction,
  safety_info: { action_0: judged, action_1: judged, action_01: judged, plan_update: { should_update_plan: 'value' } },
  token_usage: usage,
  world_model_token_usage: usage,
  reactive_token_usage: usage,
  step_duration_seconds: 'value',
  action_results: [
    { action: 'value', action_timestamp: 'value', reward: 'value', done: 'value', info: 'value', error, more: 'value' },
  ],
  plan: { current_plan: 'value', plan_steps: 'value' },
  errors: [error],
  cumulative_stats: stats,
  env_state: { step_number: 'value' },
  more: 'value',
}
const task: Keys = {
  task_id: 'value',
  task_params: { platform: 'value', model: 'value', action_space: 'value' },
  injection: 'value',
  jailbreak: 'value',
}
const line: Keys = {
  step_num: 'value',
  action_timestamp: 'value',
  action,
  reward: 'value',
  done: 'value',
  info: 'value',
  screenshot_file: 'value',
  Error: 'value',
}

const anyValue = fc.oneof(
  jsonText('any'),
  fc.constantFrom(
    'null',
    '""',
    '0',
    '1',
    '2',
    '0.0',
    '1e-05',
    'NaN',
    '-Infinity',
    '"20260123@120000"',
    '"20261341@120000"',
    '"2026-10-12T08:00:00Z"',
    '"agent"',
    '"user"',
    '"call_1"',
    '"sub-1"',
  ),
  fc.constantFrom('[]', '{}', '["a"]', '[{"type":"text","content":"x"}]', '"{\\"a\\": 1}"', '"x"', 'true', 'false'),
)

/** An object with some of the keys, including duplicates and values of wrong types, in any order and layout. */
export function messy(keys: Keys, space: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc.constantFrom(...Object.keys(keys)).chain((key) => {
    const child = keys[key] ?? 'value'
    const usual = child === 'value' ? anyValue : isList(child) ? messyList(child[0], space) : messy(child, space)
    const value = fc.oneof({ arbitrary: usual, weight: 5 }, anyValue)
    return fc.tuple(space, fc.constant(key), space, space, value, space)
  })
  return fc
    .array(member, { maxLength: 9 })
    .map((members) => `{${members.map(([a, key, b, c, value, d]) => `${a}"${key}"${b}:${c}${value}${d}`).join(',')}}`)
}

const isList = (child: Keys | readonly [Keys]): child is readonly [Keys] => Array.isArray(child)

export const messyList = (keys: Keys, space: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ arbitrary: messy(keys, space), weight: 4 }, anyValue), { maxLength: 3 })
    .map((items) => `[${items.join(', ')}]`)

/** Text with the keys of an execution_trajectory.json that is mostly malformed. */
export const messyTrajectory = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    messyList(step, jsonSpace),
    fc.oneof(messy(task, jsonSpace), anyValue),
    fc.boolean(),
    messy(
      { ...task, total_duration_seconds: 'value', total_duration_minutes: 'value', cumulative_stats: stats },
      jsonSpace,
    ),
    jsonSpace,
  )
  .map(([mark, steps, metadata, isNested, rest, tail]) => {
    const identity = isNested ? `"task_metadata":${metadata}` : '"cumulative_stats":{}'
    return `${mark}{"steps":${steps},${identity}${rest === '{}' ? '' : ','}${rest.slice(1)}${tail}`
  })

const oneLine = jsonSpace.map((space) => space.replaceAll(/[\r\n]/g, ' '))

/** Text with the first line of a traj.jsonl that is mostly malformed. */
export const messyTraj = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.oneof({ arbitrary: messy(line, oneLine), weight: 5 }, fc.constant('{"Error":"x"}'), anyValue),
        fc.constantFrom('\n', '\r\n', '\n\n'),
      ),
      {
        maxLength: 5,
      },
    ),
    fc.constantFrom('', '\n', '\r\n'),
  )
  .map(([lines, tail]) => {
    const first = '{"step_num": 1, "action_timestamp": "20260123@120000", "action": null}'
    return [first, ...lines.map(([text, end]) => `${end}${text}`), tail].join('')
  })
