import {
  ATTR,
  attributeType,
  type FieldValue,
  LINK_TYPES,
  type Role,
  spanName,
  type State,
} from '../../../semconv/index.js'
import { isoOf } from '../../record-object/index.js'
import { isUnfinished, lastingState, stateIfBegun, type SpanNode } from '../../tree/index.js'
import type { JsonValue } from '../../json/index.js'
import type { SpanDraft } from '../span-draft.js'
import { carriedValues } from './carried-values.js'
import { subjectOf } from './subject.js'

/** The values of a span that a record may state in its own keys, by name. */
export type Facts = Readonly<Record<string, FieldValue>>

/** A span in a carrier: what a record may state, and what only the carrier can state. */
export interface SpanEntry {
  readonly facts: Facts
  readonly rest: Readonly<Record<string, JsonValue>>
}

/** The values that a span has from the span above it. */
export type Inherited = Readonly<Partial<Record<'planId' | 'rootPlanId' | 'conversationId' | 'agentName', string>>>

/** Returns what the spans below a span inherit. Sub-plans have no agent. */
export function inheritedFrom({ role, span: { attributes } }: SpanNode, above: Inherited): Inherited {
  const own = {
    planId: attributes[ATTR.planId] ?? '',
    rootPlanId: attributes[ATTR.planRootId] ?? '',
    conversationId: attributes[ATTR.conversationId] ?? '',
  }
  if (role === 'plan') return own
  return { ...own, agentName: (role === 'agent' ? attributes[ATTR.agentName] : above.agentName) ?? '' }
}

/** Returns the values of a span that differ from the inherited ones. Empty for a missing value. */
function notInherited(node: SpanNode, isRoot: boolean, above: Inherited): Inherited {
  const { planId, rootPlanId, conversationId } = inheritedFrom(node, above)
  const { role, span } = node
  const own: Inherited = {
    ...(isRoot || role === 'plan' ? {} : { planId, rootPlanId }),
    conversationId: conversationId ?? '',
    ...(NAMED.has(role) ? {} : { agentName: span.attributes[ATTR.agentName] ?? '' }),
  }
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => value !== (above[name as keyof Inherited] ?? '')),
  )
}

/** The roles whose fields state the agent, or that have none. */
const NAMED: ReadonlySet<Role | undefined> = new Set<Role>(['plan', 'planning', 'agent'])

/** Returns the facts of a span. An open span has no recorded end. */
export function entryOf(node: SpanNode, isRoot: boolean, inherited: Inherited): SpanEntry {
  const { role, span } = node
  const { values, attributes } = carriedValues(node)
  const { [ATTR.planId]: planId, [ATTR.planRootId]: rootPlanId } = span.attributes
  const { timeSynthetic, ...own } = values
  const isOpen = span.pending || (timeSynthetic === true && isUnfinished(node))
  const state = statedState(node)
  const facts = {
    ...(isRoot || role === 'plan' ? { planId, rootPlanId } : {}),
    state,
    start: isoOf(span.startTimeUnixNano),
    end: isOpen ? undefined : isoOf(span.endTimeUnixNano),
    ...own,
  }
  const events = span.events.map((event) => eventOf(event, span.startTimeUnixNano))
  const rest: Record<string, JsonValue | undefined> = {
    ...notInherited(node, isRoot, inherited),
    spanName: role && span.name !== spanName(role, subjectOf(role, values)) ? span.name : undefined,
    timeSynthetic: !isOpen && timeSynthetic ? true : undefined,
    begun: node.begun === span.startTimeUnixNano ? undefined : isoOf(node.begun),
    ...statusOf(node, state, values),
    attributes: Object.keys(attributes).length > 0 ? { ...attributes } : undefined,
    events: events.length > 0 ? events : undefined,
  }
  return { facts: defined(facts), rest: defined(rest) }
}

/** The roles whose spans always record their state. On other spans, the status and the end do. */
const STANDING: ReadonlySet<Role | undefined> = new Set<Role>(['plan', 'agent', 'think_act', 'wait'])

function statedState(node: SpanNode): State | undefined {
  const state = stateIfBegun(node) && lastingState(node)
  return STANDING.has(node.role) || state !== 'completed' ? state : undefined
}

/** Returns the state that a span with a stated one has as its attribute. */
export const recordedState = (role: Role, state: State | undefined): State | undefined =>
  STANDING.has(role) || state !== 'failed' ? state : undefined

/** Returns the status of a span, unless it follows from the span's state and error. */
function statusOf(
  { span: { statusCode, statusMessage } }: SpanNode,
  state: string | undefined,
  { errorMessage = '' }: Facts,
): Record<string, JsonValue | undefined> {
  const usual = state === 'failed' ? 'ERROR' : 'UNSET'
  const message = state === 'failed' ? errorMessage : ''
  return statusCode === usual && statusMessage === message ? {} : { statusCode, statusMessage }
}

function eventOf({ name, timeUnixNano, attributes }: SpanNode['span']['events'][number], start: bigint): JsonValue {
  const values = Object.keys(attributes)
    .sort()
    .map((key) => [key, typedValue(key, attributes[key] ?? '')] as const)
  return {
    name,
    time: timeUnixNano === start ? undefined : isoOf(timeUnixNano),
    attributes: values.length > 0 ? Object.fromEntries(values) : undefined,
  }
}

/** Returns a stored attribute with its type, if its text follows from the value. */
function typedValue(key: string, text: string): JsonValue {
  const type = attributeType(key)
  const number = type === 'int' || type === 'double' ? Number(text) : Number.NaN
  if (Number.isFinite(number) && String(number) === text) return number
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Returns the guardrails that checked a tool call, by span id. */
export const guardsOf = ({ span }: SpanNode): string[] =>
  span.links.filter(({ attributes }) => attributes[ATTR.linkType] === LINK_TYPES.guards).map(({ spanId }) => spanId)

/** Returns the facts that a dialect read from a record's own keys. */
export function factsOf({ values, every, start, end }: SpanDraft): Facts {
  return defined({
    ...values,
    ...every,
    start: start === undefined ? undefined : isoOf(start),
    end: end === undefined ? undefined : isoOf(end),
  }) as Facts
}

// A loop, because this runs for each span.
function defined<V>(values: Readonly<Record<string, V | undefined>>): Record<string, V> {
  const found: Record<string, V> = {}
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) found[name] = value
  }
  return found
}
