import { z } from 'zod'

import { REMARK_KINDS, STATES, VERDICTS } from '../semconv/index.js'
import { time } from './texts.js'

const remarkSchema = z.object({
  kind: z
    .enum(REMARK_KINDS)
    .describe(
      'fault: what failed; unsafe: an unsafe action that was taken; wait: for what it waits; activity: what it does, or was doing when it ended.',
    ),
  text: z.string().describe('One line.'),
  spanId: z.string().describe('The span that the remark is about.'),
  since: time.nullable().describe('The time since which the wait or the activity lasts; null for what is over.'),
})

/** A plan summary as the HTTP interface writes it. */
export const planSchema = z.object({
  planId: z.string(),
  rootPlanId: z.string().nullable().describe('The outermost plan; null if the spans do not name it.'),
  traceId: z.string(),
  live: z.boolean().describe('Whether an instrumented agent sent the plan; false for an imported record.'),
  dialect: z.string().nullable().describe('The imported record’s dialect; null for a live plan.'),
  convention: z
    .string()
    .nullable()
    .describe(
      'The convention of another instrumentation’s trace, such as openinference; null for a plan that planspan’s conventions describe.',
    ),
  source: z.string().nullable().describe('The imported record’s source; null for a live plan.'),
  digest: z.string().nullable().describe('The imported record’s digest; null for a live plan.'),
  redacted: z.boolean().describe('Whether values were omitted or masked by redaction.'),
  state: z.enum(STATES).describe('The state of the plan, as planspan names it.'),
  status: z.string().nullable().describe('The state of the plan, as the source system names it.'),
  name: z.string().nullable().describe('The workflow; for the record of a single agent, the agent.'),
  title: z.string().nullable().describe('The title, at most 500 characters; the request is cut likewise.'),
  request: z.string().nullable(),
  serviceName: z.string(),
  startTime: time,
  endTime: time.describe('The latest time in the plan and its sub-plans, ISO 8601 in UTC.'),
  durationMs: z.number(),
  waitingSince: time
    .nullable()
    .describe('The time since which the plan has been waiting for a person; null if it is not waiting.'),
  stepCount: z.number().int().describe('The number of steps.'),
  stepsBegun: z.number().int().describe('The number of steps that have begun, including ended steps.'),
  stepsCompleted: z.number().int().describe('The number of completed steps.'),
  currentStep: z
    .string()
    .nullable()
    .describe(
      'The title of the running step, or of the last step that ran; without steps, the task of the last agent.',
    ),
  headline: z
    .array(remarkSchema)
    .describe('What to know first about the plan, the most important first; empty if nothing is wrong or open.'),
  spans: z.number().int().describe('The number of ended spans of the plan and its sub-plans.'),
  errors: z.number().int().describe('The number of ended spans with an error.'),
  failures: z
    .number()
    .int()
    .describe('The number of original failures, as listed by `/faults`; propagated errors do not count.'),
  tokens: z.number().int().describe('The input and output tokens of all model calls.'),
  inputTokens: z
    .number()
    .int()
    .describe('The input tokens. Calls that report only a sum are counted in `tokens` alone.'),
  outputTokens: z.number().int().describe('The output tokens.'),
  cacheReadTokens: z.number().int().describe('The input tokens that were read from a cache.'),
  costUsd: z
    .number()
    .nullable()
    .describe('The cost of the model calls with a known price, US dollars; null if no price is known.'),
  risk: z.number().nullable().describe('The highest risk that a guardrail reported; null if no risk was reported.'),
  unsafeTaken: z
    .number()
    .int()
    .describe('The number of actions that were executed although a guardrail found them unsafe.'),
})

/** One thing that a reader needs to know first about a plan. */
export type RemarkJson = z.output<typeof remarkSchema>

/** A plan of a list. */
export type PlanJson = z.output<typeof planSchema>

/** The number of missing items that a verdict lists. */
export const MAX_MISSING = 200

/** The facts of one kind that a converted record does not hold. */
export const leftOutSchema = z.object({
  kind: z.string().describe('The kind of facts, such as reviews.'),
  count: z.number().int().describe('The number of facts of the kind that the record does not hold.'),
  of: z.number().int().describe('The number of facts of the kind in the plan.'),
})

/** What a converted record does not hold of one kind. */
export type LeftOutJson = z.output<typeof leftOutSchema>

/** The response of `GET /api/records/{planId}?fields=verdict`. */
export const verdictSchema = z.object({
  traceId: z.string(),
  verdict: z.enum(VERDICTS).describe('How faithful the rebuilt record is.'),
  state: z.enum(STATES),
  missingCount: z.number().int().describe('The number of missing items.'),
  missing: z
    .array(z.object({ spanId: z.string(), what: z.string() }))
    .describe(
      `The first ${String(MAX_MISSING)} missing items, in words, each with the span that lacks it or contains the lacking span.`,
    ),
  leftOut: z.array(leftOutSchema).describe('What a converted record does not hold, by kind.'),
})

/** How faithful a record is, and the items that it lacks. */
export type VerdictJson = z.output<typeof verdictSchema>
