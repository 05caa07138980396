import { decodeFields, type FieldValues, planFields, planningFields } from '../../semconv/index.js'
import { itemsOf, member, stringOf, type JsonNode, tryParseJson } from '../json/index.js'
import { nearest, type SpanNode } from '../tree/index.js'

/** A step of a plan, as the planning system recorded it. */
export interface PlanStep {
  readonly id: string | undefined
  readonly title: string
  /** The system's own word for the state of the step. */
  readonly status: string | undefined
  readonly result: string | undefined
}

/**
 * Returns the steps of a plan: its list of objects if it has one, otherwise its list of texts. A planning may have
 * both.
 */
export function planSteps({
  stepsJson,
  steps = [],
}: Pick<FieldValues<typeof planFields>, 'stepsJson' | 'steps'>): PlanStep[] {
  const objects = stepsJson === undefined ? [] : itemsOf(tryParseJson(stepsJson))
  return objects.length > 0
    ? objects.map((step, index) => stepOf(step, steps[index]))
    : steps.map((title) => ({ ...NOTHING, title }))
}

/** Returns the latest steps of a plan: those of the plan span, otherwise those of its last planning. */
export function latestSteps(plan: SpanNode): PlanStep[] {
  const own = planSteps(decodeFields(OF_PLAN, plan.span.attributes))
  if (own.length > 0) return own
  const plannings = nearest(plan, 'planning').map(({ span }) => planSteps(decodeFields(OF_PLANNING, span.attributes)))
  return plannings.findLast((steps) => steps.length > 0) ?? []
}

const OF_PLAN = { stepsJson: planFields.stepsJson, steps: planFields.steps }
const OF_PLANNING = { stepsJson: planningFields.stepsJson, steps: planningFields.steps }

const NOTHING = { id: undefined, status: undefined, result: undefined }

function stepOf(step: JsonNode, listed = ''): PlanStep {
  const text = (key: string): string | undefined => stringOf(member(step, key))
  return {
    id: text('id'),
    title: text('title') ?? text('description') ?? listed,
    status: text('status'),
    result: text('execution_result') ?? text('result'),
  }
}

/** The default id of a step: the same in each segment, and known before the agent begins. */
export const defaultStepId = (planId: string, index: number): string => `${planId}-step-${index}`

/** Returns the plan id in a default step id. Undefined for any other id. */
export const planOfStep = (stepId: string): string | undefined => /^([^]+)-step-\d+$/.exec(stepId)?.[1]
