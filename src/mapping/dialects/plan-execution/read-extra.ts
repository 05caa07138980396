import { type State, STATES } from '../../../semconv/index.js'
import { draft, draftState, type SpanDraft } from '../span-draft.js'
import { isTrue, itemsOf, member, stringOf, type JsonNode, type JsonObject, compactJson } from '../../json/index.js'
import { type HomeValues, unixNanoOf } from '../../record-object/index.js'
import { stoppedReason } from '../../faults/index.js'
import { modelCallDrafts } from './call-record.js'

/** Returns the assessments of an object itself as guardrails, each with the listed tool calls that it stopped. */
export const guardrailDrafts = (
  extra: JsonNode | undefined,
  stopped: ReadonlyMap<JsonNode, readonly JsonObject[]> = new Map(),
): SpanDraft[] =>
  assessmentsOf(extra).map((assessment, seq) => {
    const values = assessmentValues(assessment)
    return draft(
      'guardrail',
      { ...values, ...stoppedValues(values, stopped.get(assessment) ?? []) },
      { subject: values.name, every: {}, seq, children: modelCallDrafts(assessment) },
    )
  })

/**
 * Returns the calls of a cycle that were not made, by the assessment that stopped them. Their results contain the
 * reason.
 */
export function stoppedCalls(
  extra: JsonNode | undefined,
  calls: readonly JsonObject[],
): ReadonlyMap<JsonNode, readonly JsonObject[]> {
  const reasons = new Map<string, JsonNode>()
  for (const assessment of assessmentsOf(extra).toReversed()) {
    const values = assessmentValues(assessment)
    if (values.actionTaken === false) reasons.set(stoppedReason(values), assessment)
  }
  const stopped = new Map<JsonNode, JsonObject[]>()
  for (const call of calls) {
    const assessment = reasons.get(stringOf(member(call, 'result')) ?? '')
    if (assessment) stopped.set(assessment, [...(stopped.get(assessment) ?? []), call])
  }
  return stopped
}

/** Returns the calls that an assessment stopped, except the one that it names as the judged action. */
function stoppedValues(
  { actionName, actionCallId, actionArguments }: HomeValues<'guardrail'>,
  stopped: readonly JsonObject[],
): HomeValues<'guardrail'> {
  const calls = stopped.map((call) => ({
    name: stringOf(member(call, 'name')),
    id: stringOf(member(call, 'id')),
    arguments: stringOf(member(call, 'parameters')),
  }))
  const [only] = calls
  const isNamed =
    calls.length === 1 && only?.name === actionName && only?.id === actionCallId && only?.arguments === actionArguments
  return calls.length === 0 || isNamed ? {} : { stoppedCalls: JSON.stringify(calls) }
}

const assessmentsOf = (extra: JsonNode | undefined): readonly JsonNode[] =>
  itemsOf(member(member(extra, 'risk'), 'assessments')).filter(({ kind }) => kind === 'object')

function assessmentValues(assessment: JsonNode): HomeValues<'guardrail'> {
  const action = member(assessment, 'action')
  const worldModel = member(assessment, 'worldModel')
  const policies = member(assessment, 'policies')
  const changes = member(worldModel, 'elementChanges')
  return defined({
    name: stringOf(member(assessment, 'name')),
    score: numberOf(member(assessment, 'score')),
    isSafe: booleanOf(member(assessment, 'isSafe')),
    policies: policies && itemsOf(policies).flatMap((policy) => stringOf(policy) ?? []),
    explanation: stringOf(member(assessment, 'explanation')),
    actionName: stringOf(member(action, 'name')),
    actionCallId: stringOf(member(action, 'id')),
    actionArguments: stringOf(member(action, 'parameters')),
    actionTaken: booleanOf(member(assessment, 'actionTaken')),
    semanticDelta: stringOf(member(worldModel, 'semanticDelta')),
    elementChanges: changes && (stringOf(changes) ?? compactJson(changes)),
    longTermImpact: stringOf(member(worldModel, 'longTermImpact')),
    optimizationGuidance: stringOf(member(worldModel, 'optimizationGuidance')),
  })
}

/** Returns the recorded state of a plan or agent, if its own keys have no word for it. */
export function ownState(extra: JsonNode | undefined): State | undefined {
  const text = stringOf(member(extra, 'state'))
  return STATES.find((state) => state === text)
}

/** Returns the reviews of a plan, as its span records them. */
export function reviewValues(extra: JsonNode | undefined): HomeValues<'plan'> {
  const reviews = member(extra, 'reviews')
  if (reviews?.kind !== 'array') return {}
  return defined({
    reviewLog: compactJson(reviews),
    reviewCount: reviews.items.length,
    reviewFinalAction: stringOf(member(reviews.items.at(-1), 'action')),
  })
}

/** Returns the waits of an object itself, by the id of the tool call that contains them. */
export function waitDrafts(
  extra: JsonNode | undefined,
  shown: HomeValues<'wait'> | undefined,
): ReadonlyMap<string | undefined, SpanDraft[]> {
  const waits = waitsOf(extra)
  const open = openWait(extra)
  const reviews = reviewsOf(extra, waits)
  const drafts = new Map<string | undefined, SpanDraft[]>()
  for (const [seq, wait] of waits.entries()) {
    const [start, end] = ['startTime', 'endTime'].map((name) => unixNanoOf(stringOf(member(wait, name)) ?? '', 'UTC'))
    const resolution = stringOf(member(wait, 'resolution'))
    const recorded = defined({
      reason: stringOf(member(wait, 'reason')),
      title: stringOf(member(wait, 'title')),
      resolution,
      actor: stringOf(member(wait, 'actor')),
    })
    const values = { ...(wait === open ? shown : {}), ...recorded, ...reviews.get(wait) }
    const callId = stringOf(member(wait, 'toolCallId'))
    const every = draftState(waitState(end, resolution))
    drafts.set(callId, [...(drafts.get(callId) ?? []), draft('wait', values, { every, start, end, seq, children: [] })])
  }
  return drafts
}

const waitsOf = (extra: JsonNode | undefined): readonly JsonNode[] =>
  itemsOf(member(extra, 'waits')).filter(({ kind }) => kind === 'object')

/** Returns the last wait without an end. */
const openWait = (extra: JsonNode | undefined): JsonNode | undefined =>
  waitsOf(extra).findLast((wait) => stringOf(member(wait, 'endTime')) === undefined)

/** Whether a plan, agent or cycle, or anything listed below it, has a wait without an end. */
export const isAsking = (node: JsonNode): boolean =>
  openWait(extraIn(node)) !== undefined || LISTS.some((list) => itemsOf(member(node, list)).some(isAsking))

const LISTS = ['agentExecutionSequence', 'thinkActSteps', 'subPlanExecutionRecords'] as const

/** Returns the key that planspan wrote into an object of a live plan's record. */
export const extraIn = (node: JsonNode): JsonNode | undefined => member(node, 'planspan')

const waitState = (end: bigint | undefined, resolution: string | undefined): State => {
  if (end === undefined) return 'waiting'
  return resolution === undefined || ANSWERED.has(resolution) ? 'completed' : 'cancelled'
}
const ANSWERED: ReadonlySet<string> = new Set(['submitted', 'approved'])

/** Returns the review that ended each review wait, if there are as many reviews as waits. */
function reviewsOf(extra: JsonNode | undefined, waits: readonly JsonNode[]): Map<JsonNode, HomeValues<'wait'>> {
  const reviewed = waits.filter(
    (wait) => stringOf(member(wait, 'reason')) === 'plan_review' && stringOf(member(wait, 'resolution')) !== undefined,
  )
  const reviews = itemsOf(member(extra, 'reviews'))
  if (reviews.length !== reviewed.length) return new Map()
  return new Map(
    reviewed.map((wait, index) => [
      wait,
      defined({
        reviewAttempt: numberOf(member(reviews[index], 'attempt')),
        reviewAction: stringOf(member(reviews[index], 'action')),
        reviewFeedback: stringOf(member(reviews[index], 'feedback')),
      }),
    ]),
  )
}

const textOfNumber = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'number' ? node.text : undefined

function numberOf(node: JsonNode | undefined): number | undefined {
  const text = textOfNumber(node)
  return text === undefined ? undefined : Number(text)
}

const booleanOf = (node: JsonNode | undefined): boolean | undefined =>
  node?.kind === 'literal' && node.value !== null ? isTrue(node) : undefined

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

const defined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>
