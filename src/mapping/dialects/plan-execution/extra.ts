import {
  adoptedFields,
  ATTR,
  decodeFields,
  guardrailFields,
  parseJson,
  type Role,
  toolFields,
  waitFields,
} from '../../../semconv/index.js'
import { actionOf, isActionTaken, madeCall, findingOf } from '../../faults/index.js'
import {
  errorsWithin,
  type SpanError,
  reviewLogOf,
  isUnfinished,
  ancestors,
  fromBelow,
  type SpanNode,
} from '../../tree/index.js'
import { jsonFromValue, type JsonValue, jsonNumber, jsonString, type JsonNode, tryParseJson } from '../../json/index.js'
import { isoOf } from '../../record-object/index.js'
import { usageBelow } from '../../usage/index.js'
import { OWN } from './live-parts.js'
import { modelCallsOf } from './call-record.js'
import { conventionAttributes } from './convention-attributes.js'
import { evaluationsOf } from './evaluations.js'
import { ownSpans, partsOf } from './part-spans.js'
import { wordlessStateOf } from './wordless-state.js'

/**
 * Returns the facts of a live plan, agent or cycle that Lynxe has no key for: a state without a word in Lynxe; token
 * usage and risk of everything below; its own model calls, assessments, errors and waits; the plan's reviews. Undefined
 * without such facts.
 */
export function extraOf(node: SpanNode): JsonNode | undefined {
  if (node.role === 'tool') return callExtraOf(node)
  const reviewLog = node.role === 'plan' ? reviewLogOf(node.span) : undefined
  const parts = partsOf(node)
  const assessments = ownSpans(node, 'guardrail', parts).filter(isAssessment)
  const ownParts = new Set([...parts, ...assessments])
  const calls = modelCallsOf(node, ownParts)
  const waits = ownSpans(node, 'wait', parts)
  const usage = usageBelow(node)
  const risk = riskBelow(node, assessments, ownParts)
  const reviews = reviewLog === undefined ? undefined : tryParseJson(reviewLog)
  const errors =
    node.role === undefined || !isOwner(node.role) ? [] : errorsWithin(node, OWN[node.role]).filter(isRaised)
  const members: [string, JsonNode][] = []
  const state = wordlessStateOf(node)
  if (state) members.push(['state', jsonString(state)])
  if (usage) members.push(['usage', jsonFromValue({ ...usage })])
  const foreign = foreignOf(node)
  if (foreign) members.push(['foreign', jsonFromValue(foreign)], ['modelCalls', jsonNumber(String(countCalls(node)))])
  else if (calls.length > 0) members.push(['modelCalls', jsonFromValue(calls)])
  if (errors.length > 0) members.push(['errors', jsonFromValue(errors.map(errorObject))])
  if (risk) members.push(['risk', jsonFromValue(risk)])
  if (reviews) members.push(['reviews', reviews])
  if (waits.length > 0) members.push(['waits', jsonFromValue(waits.map(waitOf))])
  const evaluations = evaluationsOf(node)
  if (evaluations) members.push(['evaluations', jsonFromValue(evaluations)])
  const attributes = conventionAttributes(node)
  if (attributes) members.push(['attributes', jsonFromValue(attributes)])
  if (members.length === 0) return undefined
  return { kind: 'object', members: members.map(([key, value]) => ({ key: { kind: 'string', value: key }, value })) }
}

/** Returns what was read from messages for a call, the state of a call that was only requested, other attributes. */
function callExtraOf(call: SpanNode): JsonNode | undefined {
  const { attributes: stored } = call.span
  const { fromMessages } = decodeFields(FROM_MESSAGES, stored)
  const attributes = conventionAttributes(call)
  const evaluations = evaluationsOf(call)
  if (!fromMessages && !attributes && !evaluations) return undefined
  const { [ATTR.state]: state } = stored
  return jsonFromValue({
    ...(fromMessages && { fromMessages: [...fromMessages], ...(state !== undefined && { state }) }),
    ...(evaluations && { evaluations }),
    ...(attributes && { attributes }),
  })
}

const FROM_MESSAGES = { fromMessages: adoptedFields.fromMessages }

/** Returns the convention that an adopted plan was read from, and whether the plan itself was sent. */
function foreignOf({ role, span }: SpanNode): JsonValue | undefined {
  const { convention, madeUp } = role === 'plan' ? decodeFields(adoptedFields, span.attributes) : {}
  return convention === undefined ? undefined : { convention, explicitPlan: madeUp !== true }
}

/** Counts the ended model calls at and below a node. */
const countCalls = fromBelow<number>(({ role, span, children }, below) =>
  children.reduce((count, child) => count + below(child), role === 'llm' && !span.pending ? 1 : 0),
)

const isOwner = (role: Role): role is keyof typeof OWN => role in OWN

/** A call that was not made raised no error. The assessment contains the reason. */
const isRaised = ({ span }: SpanError): boolean => span.attributes[ATTR.riskActionTaken] !== 'false'

const errorObject = ({ span, type, message }: SpanError): JsonValue => ({ span: span.name, type, message })

/** Returns the highest risk below a node, and the assessments that belong to the node itself. */
function riskBelow(root: SpanNode, own: readonly SpanNode[], parts: ReadonlySet<SpanNode>): JsonValue | undefined {
  const risk = highestRisk(root)
  if (!risk && own.length === 0) return undefined
  return { ...risk, assessments: own.map((guardrail) => assessmentOf(guardrail, parts)) }
}

interface Risk {
  readonly maxScore: number | undefined
  /** Undefined while no verdict is unsafe and at least one verdict is missing. */
  readonly isSafe: boolean | undefined
}

const highestRisk = fromBelow<Risk | undefined>((node, below) => {
  const found = node.children.map(below)
  const finding = findingOf(node)
  if (finding) found.push({ maxScore: finding.score, isSafe: finding.isSafe })
  return found.reduce(higher, undefined)
})

function higher(a: Risk | undefined, b: Risk | undefined): Risk | undefined {
  if (!a || !b) return a ?? b
  const scores = [a.maxScore, b.maxScore].filter((score) => score !== undefined)
  const maxScore = scores.length === 0 ? undefined : scores.reduce((most, score) => Math.max(most, score))
  return { maxScore, isSafe: bothSafe(a.isSafe, b.isSafe) }
}

/** Returns whether two verdicts are safe together. A missing verdict counts as unknown, not as safe. */
function bothSafe(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === false || b === false) return false
  return a === undefined ? undefined : b
}

/** Whether a guardrail assessed an action, and does not repeat another one of its cycle. */
function isAssessment({ role, span }: SpanNode): boolean {
  if (role !== 'guardrail') return false
  const values = decodeFields(guardrailFields, span.attributes)
  return values.repeated !== true && Object.keys(values).some((name) => !JUDGED.has(name))
}

/** The fields of a guardrail before it has a finding: its own and the judged action's. */
const JUDGED: ReadonlySet<string> = new Set<keyof typeof guardrailFields>([
  'name',
  'actionName',
  'actionCallId',
  'actionArguments',
])

function assessmentOf(guardrail: SpanNode, parts: ReadonlySet<SpanNode>): JsonValue {
  const { name, score, isSafe, policies, explanation, elementChanges, ...rest } = decodeFields(
    guardrailFields,
    guardrail.span.attributes,
  )
  const actionTaken = isActionTaken(guardrail)
  const judged = actionTaken ? madeCall(guardrail) : undefined
  const call = judged && actionOf(judged)
  const { actionName = call?.name, actionCallId: id = call?.callId, actionArguments } = rest
  const action = { name: actionName, id, parameters: actionArguments }
  const usage = usageBelow(guardrail)
  const calls = modelCallsOf(guardrail, parts)
  const { semanticDelta, longTermImpact, optimizationGuidance } = rest
  const worldModel = { semanticDelta, elementChanges: dataOf(elementChanges), longTermImpact, optimizationGuidance }
  return {
    name,
    score,
    isSafe,
    policies: policies ? [...policies] : undefined,
    explanation,
    action: hasValues(action) ? action : undefined,
    actionTaken,
    worldModel: hasValues(worldModel) ? worldModel : undefined,
    usage: usage && { ...usage },
    modelCalls: calls.length > 0 ? calls : undefined,
  }
}

const hasValues = (values: object): boolean => Object.values(values).some((value) => value !== undefined)

/** Parses JSON text. Other text stays text. */
function dataOf(text: string | undefined): JsonValue | undefined {
  const data = text === undefined ? undefined : parseJson(text)
  return data === undefined ? text : (data as JsonValue)
}

function waitOf(wait: SpanNode): JsonValue {
  const { span } = wait
  const values = decodeFields(waitFields, span.attributes)
  const { reason, title, resolution, actor, answer } = values
  // The form of planspan's own waits is in Lynxe's key.
  const isForeign = span.attributes[ATTR.adoptedConvention] !== undefined
  return {
    reason,
    title,
    resolution,
    actor,
    question: isForeign ? values.formDescription : undefined,
    answer,
    toolCallId: callAbove(wait) ?? values.callId,
    arguments: values.arguments,
    startTime: isoOf(span.startTimeUnixNano),
    endTime: isUnfinished(wait) ? null : isoOf(span.endTimeUnixNano),
  }
}

/** Returns the id of the tool call that contains a wait. */
function callAbove(wait: SpanNode): string | undefined {
  for (const { role, span } of ancestors(wait)) {
    if (role === 'tool') return decodeFields(CALL, span.attributes).callId
    if (role !== undefined && role !== 'guardrail') return undefined
  }
  return undefined
}

const { callId } = toolFields
const CALL = { callId }
