import { z } from 'zod'

import { isoOf, type PlanCourse, type SpanNode } from '../../mapping/index.js'
import { ATTR, decodeFields, isData, isList, parseJson, STATES, textIn, waitFields } from '../../semconv/index.js'
import { beginning, cutText } from './cut-text.js'

const spanId = z.string()
const time = z.string().describe('ISO 8601 in UTC, up to nanoseconds.')

const stepSchema = z.object({
  index: z.number().int().describe('Its place in the plan, from 0.'),
  id: z.string().nullable(),
  title: beginning.nullable(),
  state: z.enum(STATES).nullable().describe('As the view steps tells it; null for what has not begun.'),
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
  spanId: spanId.describe('The planning; or the cycle that tells of the plan it followed.'),
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

/** The answer of `GET /api/records/{planId}/steps`. */
export const stepsSchema = z.object({
  traceId: z.string(),
  plans: z.array(planSchema).describe('All plans of the trace, a plan before its sub-plans.'),
})

/** The steps of a plan, and where they stand. */
export type StepsJson = z.output<typeof stepsSchema>
type PlanSteps = z.output<typeof planSchema>

/** The plans of a trace: what was planned, which spans are the work on it, and what came in between. */
export const toStepsJson = (traceId: string, courses: readonly PlanCourse[]): StepsJson => ({
  traceId,
  plans: courses.map(planJson),
})

function planJson({ plan, steps, others, versions, reviews, waits }: PlanCourse): PlanSteps {
  return {
    spanId: plan.span.spanId,
    planId: plan.span.attributes[ATTR.planId] ?? null,
    steps: steps.map(({ index, id, title, state, agents, calls }) => ({
      index,
      id: id ?? null,
      title: cutText(title || undefined),
      state: state ?? null,
      agents: agents.map(idOf),
      calls: calls.map(idOf),
    })),
    others: others.map(idOf),
    versions: versions.map((version) => ({
      spanId: idOf(version.node),
      time: isoOf(version.time),
      planner: version.planner ?? null,
      revision: version.revision ?? null,
      reason: cutText(version.reason),
      steps: version.steps?.length ?? null,
      text: cutText(version.text),
      changes: version.changes.map(({ kind, index, title, was }) => ({
        kind,
        index,
        title: cutText(title) ?? '',
        was: cutText(was),
      })),
    })),
    reviews: reviews.map(({ attempt, action, feedback, reviewer, time: at, wait }) => ({
      attempt: attempt ?? null,
      action: action ?? null,
      feedback: cutText(feedback),
      reviewer: reviewer ?? null,
      time: at === undefined ? null : isoOf(at),
      wait: wait ? idOf(wait) : null,
    })),
    waits: waits.map(waitJson),
  }
}

const idOf = ({ span }: SpanNode): string => span.spanId

function waitJson({ span }: SpanNode): PlanSteps['waits'][number] {
  const { reason, title, formDescription, formInputs, resolution, actor } = decodeFields(waitFields, span.attributes)
  return {
    spanId: span.spanId,
    reason: reason ?? null,
    title: cutText(title),
    question: cutText(formDescription),
    answers: answersIn(formInputs),
    resolution: resolution ?? null,
    actor: actor ?? null,
  }
}

/** The inputs of a form that have a value. */
function answersIn(formInputs: string | undefined): PlanSteps['waits'][number]['answers'] {
  const inputs = parseJson(formInputs ?? '[]')
  return (isList(inputs) ? inputs : []).filter(isData).flatMap((input) => {
    const value = cutText(textIn(input, 'value') || undefined)
    return value === null ? [] : [{ label: cutText(textIn(input, 'label') ?? textIn(input, 'name')), value }]
  })
}
