import { createHash } from 'node:crypto'
import {
  type AttributeValue,
  encodeFields,
  everySpanFields,
  type FieldValues,
  OPERATIONS,
  ROLE_FIELDS,
  ROLES,
  SCHEMA_VERSION,
  type Span,
  spanName,
  UNTYPED_ERROR,
} from '../semconv/index.js'
import type { SpanDraft } from './draft.js'
import { childrenKey } from './gaps.js'
import type { HomeValues } from './record-object/homes.js'

/** The ids that all spans of a record share, and the attributes of its root beside its fields. */
export interface RecordIdentity {
  readonly traceId: string
  readonly planId: string
  readonly rootPlanId: string
  readonly rootAttributes: Readonly<Record<string, AttributeValue>>
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
 * The spans of a record, the root first. Ids derive from the trace id and the path, so the same record gives the same
 * spans.
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
  assemble(root, position, identity.traceId, identity.rootAttributes, spans)
  return spans
}

function assemble(
  draft: SpanDraft,
  at: Position,
  traceId: string,
  extra: Readonly<Record<string, AttributeValue>>,
  out: Span[],
): void {
  const path = `${at.path}/${draft.role}:${at.seq}`
  const spanId = hashId(`${traceId}${path}`, 16)
  const start = earliest(draft) ?? at.start
  const values = everySpanValues(draft)
  // An empty id finds nothing: such a plan goes by its record's key.
  const planId = values.planId || at.planId
  const rootPlanId = values.rootPlanId || at.rootPlanId
  const inherited = draft.role === 'plan' || draft.role === 'agent' ? undefined : at.conversationId
  const conversationId = values.conversationId ?? inherited
  const agentName = draft.role === 'agent' ? nameOf(draft) : draft.role === 'plan' ? undefined : at.agentName
  const counts = new Map<string, number>()
  const failed = values.state === 'failed'
  out.push({
    traceId,
    spanId,
    parentSpanId: at.parentSpanId,
    name: spanName(draft.role, draft.subject),
    kind: draft.role === 'llm' ? 'CLIENT' : 'INTERNAL',
    startTimeUnixNano: start,
    endTimeUnixNano: later(start, latest(draft)),
    statusCode: failed ? 'ERROR' : 'UNSET',
    statusMessage: (failed ? values.errorMessage : undefined) ?? '',
    attributes: Object.assign(
      encodeFields(everySpanFields, {
        ...values,
        role: draft.role,
        operation: OPERATIONS[draft.role],
        schemaVersion: SCHEMA_VERSION,
        planId,
        rootPlanId,
        conversationId,
        agentName,
        seq: at.seq,
        timeSynthetic: !isStorable(draft.start) || !isStorable(draft.end) || values.timeSynthetic || undefined,
        errorType: failed ? (values.errorType ?? UNTYPED_ERROR) : undefined,
      }),
      encodeFields(ROLE_FIELDS[draft.role], draft.values),
      childCounts(draft),
      extra,
    ),
    events: (draft.events ?? []).map(({ name, time, attributes }) => ({
      name,
      timeUnixNano: isStorable(time) ? time : start,
      attributes,
    })),
    links: [],
  })
  for (const child of draft.children) {
    const seq = child.seq ?? counts.get(child.role) ?? 0
    counts.set(child.role, seq + 1)
    const place = { path, parentSpanId: spanId, planId, rootPlanId, conversationId, agentName, start, seq }
    assemble(child, place, traceId, {}, out)
  }
}

/** The values of the fields that every span may carry, whether the draft holds them among its role's or apart. */
function everySpanValues({ values, every }: SpanDraft): FieldValues<typeof everySpanFields> {
  const own: Record<string, unknown> = {}
  for (const name in values) if (name in everySpanFields) own[name] = values[name]
  return Object.assign(own, every)
}

const nameOf = ({ values }: SpanDraft): string | undefined => (values as HomeValues<'agent'>).name

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

function earliest(draft: SpanDraft): bigint | undefined {
  if (isStorable(draft.start)) return draft.start
  const known = draft.children.map(earliest).filter((time) => time !== undefined)
  return known.length > 0 ? known.reduce((a, b) => (a < b ? a : b)) : storable(draft.end)
}

function latest(draft: SpanDraft): bigint | undefined {
  if (isStorable(draft.end)) return draft.end
  return draft.children.map(latest).reduce(later, storable(draft.start))
}

// The collector's table of when each trace was holds seconds in 32 bits, which end in 2106.
const TIME_LIMIT = 2n ** 32n * 1_000_000_000n

/** A span has no other times; a record that tells of any keeps them as text. */
const isStorable = (time: bigint | undefined): time is bigint => time !== undefined && time >= 0n && time < TIME_LIMIT

const storable = (time: bigint | undefined): bigint | undefined => (isStorable(time) ? time : undefined)

function later(a: bigint, b: bigint | undefined): bigint
function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined
function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a
}

/** The first hex digits of a SHA-256; never all zero, which OTLP takes for no id. */
export function hashId(text: string, digits: 16 | 32): string {
  const id = createHash('sha256').update(text).digest('hex').slice(0, digits)
  return /^0+$/.test(id) ? id.replace(/0$/, '1') : id
}
