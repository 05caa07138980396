import { agentFields, ATTR, decodeFields, planFields, type State } from '../../../semconv/index.js'
import { errorsWithin, errorText, reviewLogOf, stateOf, stateOfWord, nearest, type SpanNode } from '../../tree/index.js'
import {
  bare,
  jsonFromValue,
  type JsonNode,
  toValue,
  type JsonValue,
  hasMember,
  itemsOf,
  jsonString,
  member,
  type JsonObject,
  tryParseJson,
  compactJson,
} from '../../json/index.js'
import { defaultStepId, latestSteps, placesOfAgents, type PlanStep } from '../../plan/index.js'
import { isoOf } from '../../record-object/index.js'
import { researcherObject } from './decode.js'
import { ERAS } from './era.js'

/** Converts a plan of any origin, or an agent, to a planner run: its request, its steps and its reviews. */
export function convertToReviewLog(node: SpanNode): JsonObject {
  const { attributes } = node.span
  const plan = node.role === 'plan' ? decodeFields(planFields, attributes) : {}
  const agent = node.role === 'agent' ? decodeFields(agentFields, attributes) : {}
  const reviewLog = reviewLogOf(node.span)
  const request = plan.request ?? agent.request ?? plan.title ?? ''
  const researcher = nearest(node, 'agent', ['planning']).find(hasMetrics)
  const values = {
    writtenAt: isoOf(node.span.endTimeUnixNano),
    request,
    locale: '',
    context: '',
    topic: plan.title ?? request,
    goal: plan.summary ?? '',
    assumptions: [],
    risks: [],
    reviewLog: '[]',
    ...plan,
    ...(reviewLog !== undefined && { reviewLog: withFeedback(reviewLog) }),
    stepsJson: compactJson(jsonFromValue(withErrors(node, stepsOf(node)))),
  }
  const parts = { researcher: researcher && bare(researcherObject(researcher, ERAS['4'])) }
  return ERAS['4'].objects.run.write({ plan: values, parts })
}

/** Whether an agent has the metrics of a researcher. */
const hasMetrics = ({ span }: SpanNode): boolean => decodeFields(METRICS, span.attributes).totalCalls !== undefined

const METRICS = { totalCalls: agentFields.totalCalls }

/** A researcher's note, where the planner keeps results. Its source is a citation. */
interface Note {
  readonly [key: string]: JsonValue
  readonly claim: string
}

const noteOf = (error: string): Note => ({
  source: 'planspan:error',
  claim: error,
  evidence: null,
  confidence: null,
  todo: null,
})

/** A step as the planner writes it. */
interface StepObject {
  readonly [key: string]: JsonValue
  readonly notes: readonly Note[]
}

/** Adds errors outside of all steps to the last step, which is the only place for them. */
function withErrors(plan: SpanNode, steps: readonly StepObject[]): StepObject[] {
  const stepErrors = new Set(
    steps.flatMap(({ notes, execution_result: result }) => [...notes.map(({ claim }) => claim), result]),
  )
  const errors = errorsWithin(plan, ['plan'])
    .map(errorText)
    .filter((error) => !stepErrors.has(error))
  return steps.map((step, index) =>
    index === steps.length - 1 ? { ...step, notes: [...step.notes, ...errors.map(noteOf)] } : step,
  )
}

/** The planner's reviews always have a feedback, which may be empty. */
function withFeedback(reviewLog: string): string {
  const reviews = tryParseJson(reviewLog)
  for (const review of itemsOf(reviews)) {
    if (review.kind === 'object' && !hasMember(review, 'feedback')) {
      review.members.push({ key: jsonString('feedback'), value: jsonString('') })
    }
  }
  return reviews ? compactJson(reviews) : reviewLog
}

/**
 * Returns a step for each listed step or, without a list, for each agent. Their ids are those of the plan's own record.
 */
function stepsOf(node: SpanNode): StepObject[] {
  const agents =
    node.role === 'agent' ? [node] : nearest(node, 'agent', ['planning']).filter((each) => !hasMetrics(each))
  const listed = node.role === 'plan' ? latestSteps(node) : []
  const placeOf = placesOfAgents(node)
  const ofStep = new Map(agents.map((agent, index) => [placeOf(agent) ?? index, agent]))
  const steps =
    listed.length === 0
      ? agents.map((agent) => ({ step: undefined, agent }))
      : listed.map((step, index) => ({ step, agent: ofStep.get(index) }))
  const written = itemsOf(tryParseJson(node.span.attributes[ATTR.planStepsJson] ?? ''))
  const planId = node.span.attributes[ATTR.planId] ?? ''
  return steps.map(({ step, agent }, index) => {
    const id = step?.id ?? (agent && idOf(agent)) ?? defaultStepId(planId, index)
    return withOwnValues(stepObject(id, step, agent), written[index])
  })
}

/** Adds the planner's own values of a step. Other systems' steps have none with a planner's meaning. */
function withOwnValues(step: StepObject, node: JsonNode | undefined): StepObject {
  if (node?.kind !== 'object' || !hasMember(node, 'step_type')) return step
  const own = node.members.filter(({ key }) => key.value in step).map(({ key, value }) => [key.value, toValue(value)])
  const notes = itemsOf(member(node, 'notes')).map((note) => toValue(note) as Note)
  return { ...step, ...(Object.fromEntries(own) as Partial<StepObject>), notes: [...notes, ...step.notes] }
}

const idOf = ({ span }: SpanNode): string | undefined => decodeFields(agentFields, span.attributes).stepId

function stepObject(id: string, step: PlanStep | undefined, node: SpanNode | undefined): StepObject {
  const agent = node ? decodeFields(agentFields, node.span.attributes) : {}
  const errors = (node ? errorsWithin(node, ['plan']) : []).map(errorText)
  const result = step?.result ?? agent.result ?? errors[0] ?? null
  const state = stateOfWord(step?.status) ?? (node && stateOf(node))
  return {
    id,
    title: step?.title ?? agent.request ?? agent.stepDescription ?? agent.name ?? '',
    step_type: 'PROCESS',
    expected_outcome: '',
    status: state ? STATUS[state] : 'PENDING',
    notes: errors.filter((error) => error !== result).map(noteOf),
    references: [],
    execution_result: result,
  }
}

const STATUS: Readonly<Record<State, string>> = {
  planning: 'PENDING',
  running: 'IN_PROGRESS',
  updating: 'IN_PROGRESS',
  waiting: 'IN_PROGRESS',
  completed: 'COMPLETED',
  failed: 'BLOCKED',
  cancelled: 'BLOCKED',
  interrupted: 'BLOCKED',
}
