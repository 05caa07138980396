import { z } from 'zod'

import { STATES } from '../semconv/index.js'
import { beginning, time } from './texts.js'

const spanId = z.string()

const stepSchema = z.object({
  index: z.number().int().describe('Its place in the plan, from 0.'),
  id: z.string().nullable(),
  title: beginning.nullable(),
  state: z.enum(STATES).nullable().describe('As in the view steps; null for a step that has not begun.'),
  agents: z.array(spanId).describe('The spans of the agents that worked on it, the first to begin first.'),
  calls: z.array(spanId).describe('Tool calls for the step by agents that no step has of its own.'),
})

const changeSchema = z.object({
  kind: z.enum(['added', 'dropped', 'changed', 'moved']),
  index: z.number().int().describe('Its place in this version, from 0; of a dropped step the one that it had.'),
  title: beginning,
  was: beginning.nullable().describe('What a changed step said before.'),
})

const versionSchema = z.object({
  spanId: spanId.describe('The planning, or the cycle that reports the plan that it followed.'),
  time: time.describe('Since when it holds, ISO 8601 in UTC.'),
  planner: z.string().nullable(),
  revision: z.number().int().nullable(),
  reason: beginning.nullable().describe('Why the plan was made anew.'),
  steps: z.number().int().nullable().describe('How many it has; null where no list is known.'),
  text: beginning.nullable().describe('The plan where it is no list of steps.'),
  changes: z.array(changeSchema).describe('From the version before; none of the first.'),
})

const reviewSchema = z.object({
  attempt: z.number().int().nullable(),
  action: z.string().nullable().describe('ACCEPT_PLAN, REQUEST_CHANGES or ABORT.'),
  feedback: beginning.nullable(),
  reviewer: z.string().nullable(),
  time: time.nullable(),
  wait: spanId.nullable().describe('The wait for it.'),
})

const waitSchema = z.object({
  spanId,
  reason: z.string().nullable().describe('form_input, plan_review or tool_approval.'),
  title: beginning.nullable(),
  question: beginning.nullable(),
  answers: z.array(z.object({ label: beginning.nullable(), value: beginning })).describe('What was filled in.'),
  resolution: z.string().nullable(),
  actor: z.string().nullable().describe('Who answered.'),
})

const planSchema = z.object({
  spanId,
  planId: z.string().nullable(),
  steps: z.array(stepSchema),
  others: z.array(spanId).describe('The spans of the outermost agents that worked on none of the steps.'),
  versions: z.array(versionSchema).describe('In the order of their time.'),
  reviews: z.array(reviewSchema).describe('In their order.'),
  waits: z.array(waitSchema).describe('For people, the first to begin first; those of a sub-plan are its own.'),
})

/** The response of `GET /api/records/{planId}/steps`. */
export const stepsSchema = z.object({
  traceId: z.string(),
  plans: z.array(planSchema).describe('All plans of the trace, a plan before its sub-plans.'),
})

/** The steps of a plan, and where they stand. */
export type StepsJson = z.output<typeof stepsSchema>
