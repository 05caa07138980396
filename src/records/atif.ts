import { z } from 'zod'

import { laxBoolean, laxFloat, laxInteger } from './lax-types.js'

/** A list or object of any content. */
const anyObjectSchema = z.record(z.string(), z.unknown())

/** ISO 8601 as Python reads it, usually with a time and a zone. */
const TIME =
  /^\d{4}-?(?:\d\d-?\d\d|W\d\d(?:-?\d)?)(?:.\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?)?$/su
const timeSchema = z.string().regex(TIME, 'Invalid ISO datetime')

const sourceSchema = z.strictObject({
  media_type: z.string(),
  path: z.string(),
  duration_sec: laxFloat({ min: 0 }).nullish(),
})

/** A text, or a reference to an image or a sound. */
export const atifContentPartSchema = z
  .strictObject({
    type: z.enum(['text', 'image', 'audio']),
    text: z.string().nullish(),
    source: sourceSchema.nullish(),
  })
  .refine(({ type, text, source }) => (type === 'text' ? isGiven(text) && !isGiven(source) : isGiven(source)), {
    error: 'Invalid input: a text part has a text, any other a source',
  })

const contentSchema = z.union([z.string(), z.array(atifContentPartSchema)])

/** The name of a function and its arguments. */
export const atifToolCallSchema = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: anyObjectSchema,
  extra: anyObjectSchema.nullish(),
})

/** A reference to another trajectory: the id of one in the same file, or a file. */
export const atifSubagentRefSchema = z
  .strictObject({
    trajectory_id: z.string().nullish(),
    session_id: z.string().nullish(),
    trajectory_path: z.string().nullish(),
    extra: anyObjectSchema.nullish(),
  })
  .refine(({ trajectory_id: id, trajectory_path: path }) => isGiven(id) || isGiven(path), {
    error: 'Invalid input: expected a trajectory_id or a trajectory_path',
  })

/** The result of a call in the same step or, without a call id, of something else. */
export const atifResultSchema = z.strictObject({
  source_call_id: z.string().nullish(),
  content: contentSchema.nullish(),
  subagent_trajectory_ref: z.array(atifSubagentRefSchema).nullish(),
  extra: anyObjectSchema.nullish(),
})

/** The results of a step’s tool calls. */
export const atifObservationSchema = z.strictObject({ results: z.array(atifResultSchema) })

/** The cached tokens are included in `prompt_tokens`. */
export const atifMetricsSchema = z.strictObject({
  prompt_tokens: laxInteger().nullish(),
  completion_tokens: laxInteger().nullish(),
  cached_tokens: laxInteger().nullish(),
  cost_usd: laxFloat().nullish(),
  prompt_token_ids: z.array(laxInteger()).nullish(),
  completion_token_ids: z.array(laxInteger()).nullish(),
  logprobs: z.array(laxFloat()).nullish(),
  extra: anyObjectSchema.nullish(),
})

/** Keys that any step may have. */
const stepFields = {
  step_id: laxInteger(1),
  timestamp: timeSchema.nullish(),
  message: contentSchema,
  observation: atifObservationSchema.nullish(),
  is_copied_context: laxBoolean.nullish(),
  llm_call_count: laxInteger(0).nullish(),
  extra: anyObjectSchema.nullish(),
}

/** A step of the user or the system: a message. */
export const atifMessageSchema = z.strictObject({ ...stepFields, source: z.enum(['system', 'user']) })

/** A turn of the agent: a model's answer, the calls that it requested, and their results. */
export const atifStepSchema = z
  .strictObject({
    ...stepFields,
    source: z.literal('agent'),
    model_name: z.string().nullish(),
    reasoning_effort: z.union([z.string(), z.number()]).nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(atifToolCallSchema).nullish(),
    metrics: atifMetricsSchema.nullish(),
  })
  .refine(
    ({ llm_call_count: calls, metrics, reasoning_content: reasoning }) =>
      calls !== 0 || !(isGiven(metrics) || isGiven(reasoning)),
    { error: 'Invalid input: a step without a model call has neither metrics nor reasoning' },
  )
  .refine(({ observation, tool_calls: calls }) => !calls || areOfCalls(observation?.results ?? [], calls), {
    error: 'Invalid input: a result is of no call of its step',
  })

/** The agent of a trajectory: its name, version and model, and its tools. */
export const atifAgentSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  model_name: z.string().nullish(),
  tool_definitions: z.array(anyObjectSchema).nullish(),
  extra: anyObjectSchema.nullish(),
})

/** Totals of a whole trajectory: tokens, cost and steps. */
export const atifFinalMetricsSchema = z.strictObject({
  total_prompt_tokens: laxInteger().nullish(),
  total_completion_tokens: laxInteger().nullish(),
  total_cached_tokens: laxInteger().nullish(),
  total_cost_usd: laxFloat().nullish(),
  total_steps: laxInteger().nullish(),
  extra: anyObjectSchema.nullish(),
})

const documentSchema = z.strictObject({
  schema_version: z.string(),
  session_id: z.string().nullish(),
  trajectory_id: z.string().nullish(),
  agent: atifAgentSchema,
  steps: z
    .array(z.union([atifStepSchema, atifMessageSchema]))
    .refine((steps) => steps.every(({ step_id: id }, index) => id === index + 1), {
      error: 'Invalid input: steps are numbered 1, 2, 3 and so on',
    }),
  notes: z.string().nullish(),
  final_metrics: atifFinalMetricsSchema.nullish(),
  continued_trajectory_ref: z.string().nullish(),
  extra: anyObjectSchema.nullish(),
  get subagent_trajectories() {
    return z.array(documentSchema).nullish()
  },
})

/**
 * A trajectory in the Agent Trajectory Interchange Format, ATIF-v1.0 to v1.8. Each embedded trajectory has an id of its
 * own. Like the format's own models, the schema rejects unknown keys.
 * @see https://github.com/harbor-framework/harbor rfcs/0001-trajectory-format.md
 */
export const atifTrajectorySchema = documentSchema.refine(haveOwnIds, {
  error: 'Invalid input: embedded trajectories each have a trajectory_id of their own',
})

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function areOfCalls(
  results: readonly { readonly source_call_id?: string | null | undefined }[],
  calls: readonly { readonly tool_call_id: string }[],
): boolean {
  const ids = new Set(calls.map(({ tool_call_id: id }) => id))
  return results.every(({ source_call_id: id }) => !isGiven(id) || ids.has(id ?? ''))
}

function haveOwnIds(document: z.infer<typeof documentSchema>): boolean {
  const pending = [document]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const embedded = next.subagent_trajectories ?? []
    const ids = embedded.map(({ trajectory_id: id }) => id)
    if (!ids.every(isGiven) || new Set(ids).size < ids.length) return false
    for (const trajectory of embedded) pending.push(trajectory)
  }
  return true
}

export type AtifTrajectory = z.infer<typeof atifTrajectorySchema>
export type AtifStep = z.infer<typeof atifStepSchema>
export type AtifMessage = z.infer<typeof atifMessageSchema>
