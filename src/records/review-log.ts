import { z } from 'zod'

import { laxFloat, laxInteger, laxTime } from './lax-types.js'

const count = laxInteger(0)

/** A fact in a researcher's notes. `source` is a URL or another citation, `confidence` is from 0 to 1. */
export const researchNoteSchema = z.looseObject({
  source: z.string().regex(/\S/, 'note.source must not be empty'),
  claim: z.string(),
  evidence: z.string().nullish(),
  confidence: laxFloat({ min: 0, max: 1 }).nullish(),
  todo: z.string().nullish(),
})

/** One step of a plan. The keys after `expected_outcome` belong to a run, and are absent from hand-written plans. */
export const plannerStepSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  step_type: z.enum(['RESEARCH', 'PROCESS', 'SYNTHESIZE', 'REVIEW']),
  expected_outcome: z.string(),
  status: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'BLOCKED']).optional(),
  notes: z.array(researchNoteSchema).optional(),
  references: z.array(z.string()).optional(),
  execution_result: z.string().nullish(),
})

/** A planner's plan for a question. Budgets are tokens and US dollars. */
export const plannerPlanSchema = z.looseObject({
  topic: z.string(),
  goal: z.string(),
  steps: z.array(plannerStepSchema),
  assumptions: z.array(z.string()).optional(),
  risks: z.array(z.string()).optional(),
  metadata: z
    .looseObject({
      locale: z.string().nullish(),
      reviewer: z.string().nullish(),
      budget_tokens: laxInteger().nullish(),
      budget_cost_usd: laxFloat().nullish(),
    })
    .optional(),
})

/** One decision of a reviewer on a plan; attempts count from 1. */
export const reviewLogEntrySchema = z.looseObject({
  attempt: laxInteger(1),
  action: z.enum(['ACCEPT_PLAN', 'REQUEST_CHANGES', 'ABORT']),
  feedback: z.string().optional(),
})

/** One search for a step. Durations are seconds. The limits are null if none were applied. */
export const researcherCallSchema = z.looseObject({
  step_id: z.string(),
  query: z.string(),
  note_count: count,
  duration_seconds: laxFloat({ min: 0 }).nullish(),
  result_count: count.nullish(),
  applied_max_results: laxInteger(1).nullish(),
  applied_max_notes: laxInteger(1).nullish(),
  degradation_mode: z.string().nullish(),
})

/** The totals of a run's searches; durations are in seconds. */
export const researcherMetricsSchema = z.looseObject({
  total_calls: count,
  total_notes: count,
  total_duration_seconds: laxFloat({ min: 0 }).nullish(),
  total_results: count.nullish(),
  degradation_modes: z.array(z.string()).optional(),
  calls: z.array(researcherCallSchema).optional(),
})

/**
 * PlanRunRecord of my-deep-research's planner, a line of its plans.jsonl, in all versions of the schema. `timestamp` is
 * ISO 8601 in UTC, with or without `Z`. Unknown keys are valid, as are values that the planner's model converts.
 * @see https://github.com/Lin-Guanguo/my-deep-research/blob/main/docs/review-log-schema.md
 */
export const planRunRecordSchema = z.looseObject({
  timestamp: laxTime,
  question: z.string(),
  locale: z.string(),
  context: z.string().optional(),
  plan: plannerPlanSchema,
  review_log: z.array(reviewLogEntrySchema).optional(),
  telemetry: z.looseObject({ researcher: researcherMetricsSchema.nullish() }).nullish(),
})

export type ResearchNote = z.infer<typeof researchNoteSchema>
export type PlannerStep = z.infer<typeof plannerStepSchema>
export type PlannerPlan = z.infer<typeof plannerPlanSchema>
export type ReviewLogEntry = z.infer<typeof reviewLogEntrySchema>
export type ResearcherCall = z.infer<typeof researcherCallSchema>
export type ResearcherMetrics = z.infer<typeof researcherMetricsSchema>
export type PlanRunRecord = z.infer<typeof planRunRecordSchema>
