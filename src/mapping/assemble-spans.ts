import {
  ATTR,
  type AttributeValue,
  encodeFields,
  everySpanFields,
  type FieldValues,
  isSpanTime,
  OPERATIONS,
  SPAN_TYPES,
  READABLE_TIMES,
  ROLE_FIELDS,
  ROLES,
  SCHEMA_VERSION,
  type Span,
  spanName,
  type SpanTimes,
  UNTYPED_ERROR,
} from '../semconv/index.js'
import type { LinkDraft, SpanDraft } from './dialects/index.js'
import { childrenKey, hashId } from './tree/index.js'
import type { HomeValues } from './record-object/index.js'

/** The ids that all spans of a record share, and the extra attributes of its root. */
export interface RecordIdentity {
  readonly traceId: string
  readonly planId: string
  readonly rootPlanId: string
  readonly rootAttributes: Readonly<Record<string, AttributeValue>>
  /** The valid span times. The record keeps other times as text. @default times up to 2106 */
  readonly times?: SpanTimes | undefined
}

interface Position {
  readonly path: string
  readonly parentSpanId: string
  readonly planId: string
  readonly rootPlanId: string
  readonly conversationId: string | undefined
  readonly agentName: string | undefined
  readonly start: bigint
  readonly seq: number
}

/**
 * Builds the spans of a record, the root first. Ids derive from the trace id and the path, so the same record always
 * gives the same spans.
 */
export function assembleSpans(root: SpanDraft, identity: RecordIdentity): Span[] {
  const spans: Span[] = []
  const position = {
    path: '',
    parentSpanId: '',
    planId: identity.planId,
    rootPlanId: identity.rootPlanId,
    conversationId: undefined,
    agentName: undefined,
    start: 0n,
    seq: 0,
  }
  const { traceId, rootAttributes, times = READABLE_TIMES } = identity
  const assembly: Assembly = { traceId, times, ids: new Map(), links: new Map() }
  assemble(root, position, { ...assembly, extra: rootAttributes }, spans)
  return assembly.links.size === 0 ? spans : spans.map((span) => withLinks(span, assembly))
}

function withLinks(span: Span, { traceId, ids, links }: Assembly): Span {
  const drafts = links.get(span.spanId) ?? []
  return {
    ...span,
    links: drafts.map(({ to, type }) => ({
      traceId,
      spanId: ids.get(to) ?? '',
      attributes: { [ATTR.linkType]: type },
    })),
  }
}

interface Assembly {
  readonly traceId: string
  readonly times: SpanTimes
  /** The ids of the spans that others link to, and the links of spans, by span id. */
  readonly ids: Map<SpanDraft, string>
  readonly links: Map<string, readonly LinkDraft[]>
  /** Attributes besides those of the draft. */
  readonly extra?: Readonly<Record<string, AttributeValue>>
}

function assemble(draft: SpanDraft, at: Position, assembly: Assembly, out: Span[]): void {
  const { traceId, times, extra = {} } = assembly
  const path = `${at.path}/${draft.role}:${at.seq}`
  const spanId = hashId(`${traceId}${path}`, 16)
  const start = earliest(draft, times) ?? at.start
  const values = everySpanValues(draft)
  // An empty id cannot be looked up, so the record's key is the plan id.
  const planId = values.planId || at.planId
  const rootPlanId = values.rootPlanId || at.rootPlanId
  const inherited = draft.role === 'plan' || draft.role === 'agent' ? undefined : at.conversationId
  const conversationId = values.conversationId ?? inherited
  const agentName = draft.role === 'agent' ? nameOf(draft) : draft.role === 'plan' ? undefined : at.agentName
  const counts = new Map<string, number>()
  const failed = values.state === 'failed'
  const { code, message } = draft.status ?? {
    code: failed ? 'ERROR' : 'UNSET',
    message: (failed ? values.errorMessage : undefined) ?? '',
  }
  if (draft.role === 'guardrail') assembly.ids.set(draft, spanId)
  if (draft.links && draft.links.length > 0) assembly.links.set(spanId, draft.links)
  const isTimed = storable(draft.start, times) !== undefined && storable(draft.end, times) !== undefined
  out.push({
    traceId,
    spanId,
    parentSpanId: at.parentSpanId,
    name: draft.name ?? spanName(draft.role, draft.subject),
    kind: draft.role === 'llm' ? 'CLIENT' : 'INTERNAL',
    startTimeUnixNano: start,
    endTimeUnixNano: later(start, latest(draft, times)),
    statusCode: code,
    statusMessage: message,
    attributes: Object.assign(
      encodeFields(everySpanFields, {
        ...values,
        role: draft.role,
        operation: OPERATIONS[draft.role],
        spanType: SPAN_TYPES[draft.role],
        schemaVersion: SCHEMA_VERSION,
        planId,
        rootPlanId,
        conversationId,
        agentName: (values.agentName ?? agentName) || undefined,
        seq: at.seq,
        timeSynthetic: !isTimed || values.timeSynthetic || undefined,
        errorType: values.errorType ?? (failed ? UNTYPED_ERROR : undefined),
      }),
      encodeFields(ROLE_FIELDS[draft.role], draft.values),
      draft.attributes,
      childCounts(draft),
      extra,
    ),
    events: (draft.events ?? []).map(({ name, time, attributes }) => ({
      name,
      timeUnixNano: storable(time, times) ?? start,
      attributes,
    })),
    links: [],
  })
  for (const child of draft.children) {
    const seq = child.seq ?? counts.get(child.role) ?? 0
    counts.set(child.role, seq + 1)
    const place = { path, parentSpanId: spanId, planId, rootPlanId, conversationId, agentName, start, seq }
    assemble(child, place, { ...assembly, extra: {} }, out)
  }
}

/** The values of fields that every span may have. A draft may hold them with its role's fields or separately. */
function everySpanValues({ values, every }: SpanDraft): FieldValues<typeof everySpanFields> {
  const own: Record<string, unknown> = {}
  for (const name in values) if (name in everySpanFields) own[name] = values[name]
  return Object.assign(own, every)
}

const nameOf = ({ values }: SpanDraft): string | undefined => (values as HomeValues<'agent'>).name || undefined

function childCounts({ children }: SpanDraft): Record<string, number> | undefined {
  if (children.length === 0) return undefined
  const counts: Record<string, number> = {}
  for (const role of ROLES) {
    let count = 0
    for (const child of children) if (child.role === role) count++
    if (count > 0) counts[childrenKey(role)] = count
  }
  return counts
}

function earliest(draft: SpanDraft, times: SpanTimes): bigint | undefined {
  const own = storable(draft.start, times)
  if (own !== undefined) return own
  const known = draft.children.map((child) => earliest(child, times)).filter((time) => time !== undefined)
  return known.length > 0 ? known.reduce((a, b) => (a < b ? a : b)) : storable(draft.end, times)
}

function latest(draft: SpanDraft, times: SpanTimes): bigint | undefined {
  const own = storable(draft.end, times)
  if (own !== undefined) return own
  return draft.children.map((child) => latest(child, times)).reduce(later, storable(draft.start, times))
}

/** Returns a time that a span may have. The record keeps other times as text. */
const storable = (time: bigint | undefined, times: SpanTimes): bigint | undefined =>
  time !== undefined && isSpanTime(time, times) ? time : undefined

function later(a: bigint, b: bigint | undefined): bigint
function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined
function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a
}
