import { z } from 'zod'

import { ROLES, STATES } from '../semconv/index.js'
import { beginning, time } from './texts.js'

const spanId = z.string()

const stepSchema = z.object({
  index: z.number().int().describe('The position in the plan, from 0.'),
  id: z.string().nullable(),
  title: beginning.nullable(),
  state: z.enum(STATES).nullable().describe('The state, as in the view steps; null for a step that has not begun.'),
  agents: z.array(spanId).describe('The spans of the agents that worked on the step, in order of their start.'),
  calls: z.array(spanId).describe('Tool calls for the step by agents that are not assigned to a step.'),
})

const changeSchema = z.object({
  kind: z.enum(['added', 'dropped', 'changed', 'moved']),
  index: z
    .number()
    .int()
    .describe('The position in this version, from 0; for a dropped step, its position in the previous version.'),
  title: beginning,
  was: beginning.nullable().describe('The previous title of a changed step.'),
})

const versionSchema = z.object({
  spanId: spanId.describe('The span of the planning, or of the cycle that reports the plan that it followed.'),
  time: time.describe('The time since which the version is in effect, ISO 8601 in UTC.'),
  planner: z.string().nullable(),
  revision: z.number().int().nullable(),
  reason: beginning.nullable().describe('The reason for the new version.'),
  steps: z.number().int().nullable().describe('The number of steps; null if the list of steps is unknown.'),
  text: beginning.nullable().describe('The text of a plan that is not a list of steps.'),
  changes: z.array(changeSchema).describe('The changes since the previous version; empty for the first version.'),
})

const reviewSchema = z.object({
  attempt: z.number().int().nullable(),
  action: z.string().nullable().describe('ACCEPT_PLAN, REQUEST_CHANGES or ABORT.'),
  feedback: beginning.nullable(),
  reviewer: z.string().nullable(),
  time: time.nullable(),
  wait: spanId.nullable().describe('The span of the wait for the review.'),
})

const waitSchema = z.object({
  spanId,
  reason: z.string().nullable().describe('form_input, plan_review or tool_approval.'),
  title: beginning.nullable(),
  question: beginning.nullable(),
  answers: z.array(z.object({ label: beginning.nullable(), value: beginning })).describe('The submitted values.'),
  resolution: z.string().nullable(),
  actor: z.string().nullable().describe('Who answered.'),
})

const planSchema = z.object({
  spanId,
  planId: z.string().nullable(),
  steps: z.array(stepSchema),
  others: z.array(spanId).describe('The spans of the outermost agents that did not work on a step.'),
  versions: z.array(versionSchema).describe('In order of time.'),
  reviews: z.array(reviewSchema).describe('In the order of the plan’s review list.'),
  waits: z
    .array(waitSchema)
    .describe('Waits for people, in order of their start. Waits of a sub-plan are listed with the sub-plan.'),
})

/** The response of `GET /api/records/{planId}/steps`. */
export const stepsSchema = z.object({
  traceId: z.string(),
  plans: z.array(planSchema).describe('All plans of the trace, a plan before its sub-plans.'),
})

/** The steps of plans and their progress. */
export type StepsJson = z.output<typeof stepsSchema>

/** The verdict and outcome of an action that a guardrail judged. */
export const JUDGEMENTS = ['safe', 'unsafe', 'stopped', 'taken'] as const

/** The values of a span are a tuple, because property names would double the size of tens of thousands of objects. */
const ID = z.string().describe('spanId')
export const ABOUT = [
  z.enum(ROLES).nullable().describe('role: null for a span outside of plans.'),
  z.string().describe('name'),
  z.string().describe('label: the subject of the span, at most 80 characters.'),
] as const
export const OUTCOME = [
  z.number().describe('durationMs'),
  z
    .enum(STATES)
    .nullable()
    .describe('state: null for a unit that has not begun, and for a span of another instrumentation.'),
  z.boolean().describe('failed: whether the status of the span is an error.'),
  z.boolean().describe('pending: whether the span has not ended, or its end was lost.'),
  z.number().int().nullable().describe('tokens: the input and output tokens of a model call; null if unknown.'),
  z.number().nullable().describe('risk: the risk that a guardrail reported; null without a score.'),
  z
    .enum(JUDGEMENTS)
    .nullable()
    .describe(
      'judgement of a guardrail: safe, stopped, taken, or unsafe if it is unknown whether the action was executed; stopped for a tool call that a guardrail stopped.',
    ),
  z.number().int().describe('segment: the index of the run of a resumed plan, from 0.'),
  z
    .string()
    .nullable()
    .describe(
      'failure: the message of an original failure, at most 200 characters, empty without a message; null for other spans.',
    ),
  z.number().nullable().describe('costUsd: the cost of a model call, US dollars; null if unknown.'),
] as const

const structureSpanSchema = z.tuple([
  ID,
  z
    .number()
    .int()
    .nullable()
    .describe('parent: the index of the parent span in this list; null if the list does not contain it.'),
  ...ABOUT,
  z.number().describe('start: milliseconds after startTime.'),
  ...OUTCOME,
])

/** The data of an event `span` of `/spans/events?fields=structure`. */
export const spanChangeSchema = z.tuple([
  ID,
  z.string().nullable().describe('parent: the spanId of the parent span; null for a root span.'),
  ...ABOUT,
  z.number().describe('start: milliseconds since the Unix epoch.'),
  ...OUTCOME,
])

/** A new or changed span, without payloads. */
export type SpanChangeJson = z.output<typeof spanChangeSchema>

/** The response of `GET /api/records/{planId}?fields=structure`. */
export const structureSchema = z.object({
  traceId: z.string(),
  startTime: z.string().describe('The earliest start, ISO 8601 in UTC.'),
  planned: z.boolean().describe('Whether /steps contains steps, versions, reviews or waits.'),
  spans: z.array(structureSpanSchema).describe('In order of their start.'),
})

/** The tree of a plan’s spans, without payloads. */
export type StructureJson = z.output<typeof structureSchema>

/** The response of `GET /api/records/{planId}?fields=outline`. */
export const outlineSchema = structureSchema.extend({ plans: stepsSchema.shape.plans })

/** The tree of a plan's spans, with the steps of its plans. */
export type OutlineJson = z.output<typeof outlineSchema>
