import {
  jsonForm,
  fromOneForm,
  type Form,
  agent,
  event,
  list,
  llm,
  nested,
  part,
  plan,
  thinkAct,
  tool,
} from '../../record-object/index.js'
import { jsonNumber, jsonString } from '../../json/index.js'

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The reasoning effort of a model: a word, or the exact digits of a number. */
const effortForm: Form<string> = {
  read: (node) => {
    if (node.kind === 'number') return NUMBER.test(node.text) ? node.text : undefined
    return node.kind === 'string' && !NUMBER.test(node.value) ? node.value : undefined
  },
  write: (value) => (NUMBER.test(value) ? jsonNumber(value) : jsonString(value)),
}

/** A trajectory, on a plan span. */
export const TRAJECTORY = {
  schema_version: plan('formatVersion'),
  session_id: plan('conversationId'),
  trajectory_id: plan('trajectoryId'),
  agent: part('agent'),
  steps: { ...list('think_act'), of: ['think_act', 'event'] as const },
  notes: plan('notes'),
  final_metrics: nested({
    total_prompt_tokens: plan('usageInputTokens'),
    total_completion_tokens: plan('usageOutputTokens'),
    total_cached_tokens: plan('usageCacheReadTokens'),
    total_cost_usd: plan('usageCostUsd'),
    total_steps: plan('cumulativeSteps'),
    extra: plan('usageExtra'),
  }),
  continued_trajectory_ref: plan('continuedIn'),
  extra: plan('extra'),
  subagent_trajectories: list('plan'),
}

/** The one agent of a trajectory, on its span. */
export const AGENT = {
  name: agent('name'),
  version: agent('version'),
  model_name: agent('modelName'),
  tool_definitions: agent('tools'),
  extra: agent('extra'),
}

/** A step of the agent, stored on a think-act span, its model call and its tool calls. */
export const STEP = {
  step_id: thinkAct('index', fromOneForm),
  timestamp: thinkAct('startTime'),
  source: part(),
  model_name: llm('model'),
  reasoning_effort: llm('reasoningEffort', effortForm),
  message: part(llm('output'), llm('outputItems'), thinkAct('actionDescription'), thinkAct('messageParts')),
  reasoning_content: llm('reasoning'),
  tool_calls: list('tool'),
  observation: nested({
    results: {
      ...list('tool'),
      of: ['tool', thinkAct('actionResult'), thinkAct('actionResults')] as const,
    },
  }),
  metrics: nested({
    prompt_tokens: llm('inputTokens'),
    completion_tokens: llm('outputTokens'),
    cached_tokens: llm('cacheReadTokens'),
    cost_usd: llm('costUsd'),
    prompt_token_ids: llm('promptTokenIds'),
    completion_token_ids: llm('completionTokenIds'),
    logprobs: llm('logprobs'),
    extra: llm('usageExtra'),
  }),
  is_copied_context: thinkAct('copied'),
  llm_call_count: thinkAct('modelCalls'),
  extra: thinkAct('extra'),
}

/** A step of the user or the system, stored on an event of the plan span. */
export const MESSAGE = {
  step_id: part(event('seq')),
  timestamp: event('timestamp'),
  source: event('role'),
  message: part(event('content'), event('contentIn'), event('contentParts'), plan('request')),
  observation: event('observation'),
  is_copied_context: event('copied'),
  llm_call_count: event('modelCalls'),
  extra: event('data'),
}

/** The order of the last keys of a step in the package `atif`. Harbor's order is that of the properties. */
const LAST = ['extra', 'llm_call_count', 'is_copied_context'] as const
const withLast = (keys: readonly string[]): string[] => [
  ...keys.filter((key) => !LAST.includes(key as 'extra')),
  ...LAST,
]
export const PACKAGE_KEYS = {
  step: withLast(Object.keys(STEP)) as (keyof typeof STEP)[],
  message: withLast(Object.keys(MESSAGE)) as (keyof typeof MESSAGE)[],
}

/** A tool call, on its span. */
export const TOOL_CALL = {
  tool_call_id: tool('callId'),
  function_name: tool('name'),
  arguments: tool('arguments', jsonForm),
  extra: tool('extra'),
}

/** The result of a tool call, on the same span, which also records an unusual position. */
export const RESULT = {
  source_call_id: part(tool('callId'), tool('resultIndex')),
  content: part(tool('result'), tool('resultParts'), tool('resultIndex')),
  subagent_trajectory_ref: tool('subTrajectories'),
  extra: tool('resultExtra'),
}
