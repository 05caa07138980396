import { appendTo } from '../../base/append.js'
import { ATTR, PENDING, ROLES, type Role, type StoredSpan } from '../../semconv/index.js'
import { breakCircles, foldSpans, isLogEvent, withLogEvents } from '../tree/index.js'
import { byStart, newNode, type AdoptNode } from './adopt-node.js'
import { guessKinds } from './guess/guess-kinds.js'
import { kindRuleOf } from './kind-of.js'

/**
 * Logfire's span attributes for logs and snapshots. A snapshot is sent as a child of the open span, and names that
 * span's parent in an attribute: zeros if there is no parent.
 */
const LOGFIRE = {
  type: 'logfire.span_type',
  log: 'log',
  pending: 'pending_span',
  parent: 'logfire.pending_parent_id',
  noParent: '0'.repeat(16),
} as const

/** Converts the stored rows of one trace to nodes, linked to their parents. Returns all nodes, and the roots. */
export function linkRows(rows: readonly StoredSpan[]): { nodes: AdoptNode[]; roots: AdoptNode[] } {
  const groups = new Map<string, StoredSpan[]>()
  const logs = new Map<string, StoredSpan[]>()
  for (const row of rows) {
    const id = spanIdOf(row)
    if (isLogEvent(row)) appendTo(logs, row.parentSpanId, row)
    else if (id !== undefined) appendTo(groups, id, row)
  }
  for (const [id, ofSpan] of logs) {
    const own = groups.get(id)?.map((row) => withLogEvents(row, ofSpan))
    if (own) groups.set(id, own)
  }
  const nodes = [...groups.values()].map(toNode).sort(byStart)
  guessKinds(nodes)
  const byId = new Map(nodes.map((node) => [node.span.spanId, node]))
  for (const node of nodes) {
    const parent = byId.get(node.span.parentSpanId)
    if (parent !== node) node.parent = parent
  }
  breakCircles(nodes, (node) => {
    node.parent = undefined
  })
  reattachOrphans(nodes)
  for (const node of nodes) node.parent?.children.add(node)
  return { nodes, roots: nodes.filter(({ parent }) => parent === undefined) }
}

/**
 * Moves spans whose parent is not stored below their plan, otherwise below the root of the trace, if that is stored.
 */
function reattachOrphans(nodes: readonly AdoptNode[]): void {
  const plans = new Map(
    nodes.flatMap((node) => (node.own === 'plan' ? [[node.span.attributes[ATTR.planId] ?? '', node] as const] : [])),
  )
  const rootOf = new Map<string, AdoptNode>()
  for (const node of nodes) {
    const { parentSpanId, traceId } = node.span
    if (node.parent === undefined && parentSpanId === '' && !rootOf.has(traceId)) rootOf.set(traceId, node)
  }
  for (const node of nodes) {
    if (node.parent !== undefined || node.span.parentSpanId === '') continue
    node.isOrphan = true
    if (node.own === undefined)
      node.parent = plans.get(node.span.attributes[ATTR.planId] ?? '') ?? rootOf.get(node.span.traceId)
    node.isReattached = node.parent !== undefined
  }
}

/** Returns the id of the span that a row belongs to. Undefined for a log that was sent as a span. */
function spanIdOf({ attributes, spanId, parentSpanId }: StoredSpan): string | undefined {
  if (attributes[ATTR.spanState] === PENDING) return attributes[ATTR.pendingSpanId] || parentSpanId || spanId
  const type = attributes[LOGFIRE.type]
  if (type === LOGFIRE.log) return undefined
  return type === LOGFIRE.pending ? parentSpanId || spanId : spanId
}

function toNode(rows: readonly StoredSpan[]): AdoptNode {
  const [folded] = foldSpans(rows.map(asSnapshot))
  const span = folded as NonNullable<typeof folded>
  const own = roleOf(span)
  const rule = own === undefined ? kindRuleOf(span) : undefined
  const kind = own ?? rule?.kind ?? 'none'
  return { ...newNode(span, kind), rows, own, convention: rule?.convention, pending: span.pending }
}

/** Converts Logfire's snapshot to planspan's format. */
function asSnapshot(row: StoredSpan): StoredSpan {
  if (row.attributes[LOGFIRE.type] !== LOGFIRE.pending) return row
  const parent = row.attributes[LOGFIRE.parent] ?? ''
  return {
    ...row,
    attributes: {
      ...row.attributes,
      [ATTR.spanState]: PENDING,
      [ATTR.pendingSpanId]: row.parentSpanId || row.spanId,
      [ATTR.pendingParentSpanId]: parent === LOGFIRE.noParent ? '' : parent,
    },
  }
}

function roleOf({ attributes }: StoredSpan): Role | undefined {
  const kind = attributes[ATTR.spanKind]
  return ROLES.find((role) => role === kind)
}
