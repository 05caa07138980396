import fc from 'fast-check'
import { jsonSpace } from './arbitrary-json.js'
import { messy, messyList, type Keys } from './messy-trajectories.js'

const metrics: Keys = { prompt_tokens: 'value', cost_usd: 'value', logprobs: 'value', extra: 'value', more: 'value' }
const call: Keys = {
  tool_call_id: 'value',
  function_name: 'value',
  arguments: { a: 'value' },
  extra: { planspan: 'value' },
  more: 'value',
}
const result: Keys = {
  source_call_id: 'value',
  content: 'value',
  subagent_trajectory_ref: [{ trajectory_id: 'value', trajectory_path: 'value' }],
  extra: 'value',
}
const step: Keys = {
  step_id: 'value',
  timestamp: 'value',
  source: 'value',
  model_name: 'value',
  reasoning_effort: 'value',
  message: 'value',
  reasoning_content: 'value',
  tool_calls: [call],
  observation: { results: [result], more: 'value' },
  metrics,
  is_copied_context: 'value',
  llm_call_count: 'value',
  extra: { planspan: 'value' },
}
const agent: Keys = { name: 'value', version: 'value', model_name: 'value', tool_definitions: 'value', more: 'value' }
const embedded: Keys = { trajectory_id: 'value', agent, steps: [step], extra: { planspan: 'value' } }
const trajectory: Keys = {
  session_id: 'value',
  trajectory_id: 'value',
  agent,
  notes: 'value',
  final_metrics: { total_prompt_tokens: 'value', total_cost_usd: 'value', extra: 'value' },
  extra: {
    planspan: {
      agents: [{ name: 'value', spans: 'value' }],
      spans: [{ role: 'value', in: 'value', seq: 'value' }],
      state: 'value',
    },
  },
  subagent_trajectories: [embedded],
  more: 'value',
}

/** Steps of the agent, which have most of the keys. */
const steps = messyList(step, jsonSpace).map((list) => list.replaceAll('{"step_id"', '{"source":"agent","step_id"'))

/** Text whose first keys are those of a trajectory, and the rest is mostly malformed. */
export const messyAtif = fc
  .tuple(fc.constantFrom('', '\uFEFF'), steps, messy(trajectory, jsonSpace), jsonSpace)
  .map(
    ([mark, list, rest, tail]) =>
      `${mark}{"schema_version":"ATIF-v1.8","steps":${list}${rest === '{}' ? '' : ','}${rest.slice(1)}${tail}`,
  )
