import { z } from 'zod'

import { floatSchema, integerSchema } from './lax-types.js'

/** Local wall-clock time without a zone, whole seconds: `YYYYMMDD@HHMMSS`. */
export const trajectoryStampSchema = z.string()

/** Tokens of model calls: the last call of a step, or the sum of its calls for HarmonyGuard and Reactive. */
export const tokenUsageSchema = z.looseObject({
  model: z.string().optional(),
  prompt_tokens: integerSchema.optional(),
  completion_tokens: integerSchema.optional(),
  total_tokens: integerSchema.optional(),
})

/** The world model's prediction for an action; `risk_score` runs from 0 (none) to 1. */
export const worldModelOutputSchema = z.looseObject({
  semantic_delta: z.string().nullish(),
  element_changes: z
    .looseObject({ new_elements: z.array(z.unknown()).optional(), removed_elements: z.array(z.unknown()).optional() })
    .optional(),
  long_term_impact: z.string().nullish(),
  risk_explanation: z.string().optional(),
  violated_policy_ids: z.array(z.string()).optional(),
  optimization_guidance: z.string().nullish(),
  risk_score: floatSchema.optional(),
})

/**
 * The guardrail's verdict on one proposed action. SafePred's has a prediction, HarmonyGuard's and Reactive's an
 * alignment.
 */
export const safetyAssessmentSchema = z.looseObject({
  risk_score: floatSchema.optional(),
  risk_explanation: z.string().optional(),
  is_safe: z.boolean().optional(),
  world_model_output: worldModelOutputSchema.nullish(),
  task_alignment: z.string().optional(),
  task_alignment_explanation: z.string().optional(),
})

/** `action_0`, `action_1`, … by the index of the proposed action, before any were filtered out. */
export const safetyInfoSchema = z
  .object({
    plan_update: z
      .looseObject({
        should_update_plan: z.boolean().optional(),
        optimization_guidance: z.string().nullish(),
        update_reason: z.string().nullish(),
      })
      .optional(),
  })
  .catchall(safetyAssessmentSchema)

/** An action: code, or one of WAIT, DONE and FAIL; or an object of a computer-use model. */
export const trajectoryActionSchema = z.union([z.string(), z.looseObject({})])

/** An exception that an action raised. */
export const trajectoryErrorSchema = z.looseObject({
  type: z.string().optional(),
  message: z.string().optional(),
  timestamp: trajectoryStampSchema.optional(),
  action: trajectoryActionSchema.optional(),
})

/** The result of an action; durations are in seconds. */
export const actionResultSchema = z.looseObject({
  action: trajectoryActionSchema.optional(),
  action_timestamp: trajectoryStampSchema.optional(),
  reward: floatSchema.optional(),
  done: z.boolean().optional(),
  info: z.looseObject({}).optional(),
  action_duration_seconds: floatSchema.optional(),
  error: z.union([z.string(), trajectoryErrorSchema]).optional(),
  next_state_a11y_tree: z.string().optional(),
  next_state_screenshot_file: z.string().optional(),
})

/** Running totals of a run, or up to a step. */
export const cumulativeStatsSchema = z.looseObject({
  total_tokens_used: integerSchema.optional(),
  total_world_model_tokens_used: integerSchema.optional(),
  total_harmonyguard_tokens_used: integerSchema.optional(),
  total_reactive_tokens_used: integerSchema.optional(),
  total_steps: integerSchema.optional(),
  total_actions_executed: integerSchema.optional(),
})

/** One step, written when it ends. `response` is text, or the items of a Responses API. Durations are seconds. */
export const trajectoryStepSchema = z.looseObject({
  step_idx: integerSchema,
  timestamp: trajectoryStampSchema.optional(),
  response: z.union([z.string(), z.array(z.looseObject({}))]).optional(),
  actions: z.array(trajectoryActionSchema).optional(),
  screenshot_file: z.string().optional(),
  a11y_tree: z.string().optional(),
  _empty_step: z.boolean().optional(),
  world_model_output: worldModelOutputSchema.optional(),
  safety_info: safetyInfoSchema.optional(),
  token_usage: tokenUsageSchema.optional(),
  world_model_token_usage: tokenUsageSchema.optional(),
  harmonyguard_token_usage: tokenUsageSchema.optional(),
  reactive_token_usage: tokenUsageSchema.optional(),
  step_duration_seconds: floatSchema.optional(),
  action_results: z.array(actionResultSchema).optional(),
  reward: floatSchema.optional(),
  done: z.boolean().optional(),
  info: z.looseObject({}).optional(),
  action_timestamp: trajectoryStampSchema.optional(),
  next_state_a11y_tree: z.string().optional(),
  next_state_screenshot_file: z.string().optional(),
  plan: z.looseObject({ current_plan: z.string().optional(), plan_steps: z.array(z.string()).optional() }).optional(),
  errors: z.array(trajectoryErrorSchema).optional(),
  cumulative_stats: cumulativeStatsSchema.optional(),
  env_state: z
    .looseObject({ step_number: integerSchema.optional(), action_history_length: integerSchema.optional() })
    .optional(),
})

const taskFields = {
  task_id: z.string().optional(),
  task_instruction: z.string().optional(),
  task_params: z.looseObject({ model: z.string().optional(), action_space: z.string().optional() }).optional(),
  injection: z.looseObject({}).nullish(),
  jailbreak: z.boolean().optional(),
}

/** The benchmark task, its settings, and the attack under test. */
export const taskMetadataSchema = z.looseObject(taskFields)

/**
 * SafePred's execution_trajectory.json. A crashed run has no totals. A run that was started again appends its steps,
 * with `step_idx` from 0. Unknown keys are valid.
 * @see https://github.com/YurunChen/SafePred
 */
export const executionTrajectorySchema = z.looseObject({
  steps: z.array(trajectoryStepSchema),
  task_metadata: taskMetadataSchema.optional(),
  ...taskFields,
  total_duration_seconds: floatSchema.optional(),
  total_duration_minutes: floatSchema.optional(),
  cumulative_stats: cumulativeStatsSchema.optional(),
})

/** A line of SafePred's traj.jsonl: an action that ran, `step_num` from 1, or the crash of its run. */
export const trajLineSchema = z.union([
  z.looseObject({
    step_num: integerSchema,
    action_timestamp: trajectoryStampSchema,
    action: trajectoryActionSchema,
    reward: floatSchema.optional(),
    done: z.boolean().optional(),
    info: z.looseObject({}).optional(),
    screenshot_file: z.string().optional(),
  }),
  z.strictObject({ Error: z.string() }),
])

/** A traj.jsonl: its lines in order. */
export const trajFileSchema = z.array(trajLineSchema)

export type TokenUsage = z.infer<typeof tokenUsageSchema>
export type WorldModelOutput = z.infer<typeof worldModelOutputSchema>
export type SafetyAssessment = z.infer<typeof safetyAssessmentSchema>
export type ActionResult = z.infer<typeof actionResultSchema>
export type TrajectoryStep = z.infer<typeof trajectoryStepSchema>
export type ExecutionTrajectory = z.infer<typeof executionTrajectorySchema>
export type TrajLine = z.infer<typeof trajLineSchema>
