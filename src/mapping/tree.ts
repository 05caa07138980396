import { ATTR, ROLES, type Role } from '../semconv/index.js'
import type { FoldedSpan } from './fold.js'

/** A span in its tree. A span of foreign instrumentation has no role. */
export interface SpanNode {
  readonly span: FoldedSpan
  readonly role: Role | undefined
  readonly children: SpanNode[]
  parent: SpanNode | undefined
  /** The parent span is not stored, although planspan's spans of the same plan say there is one. */
  orphan: boolean
}

const isRole = (text: string | undefined): text is Role => ROLES.some((role) => role === text)

/**
 * The spans of one trace as trees. A span of a plan whose parent is missing hangs below its plan span, marked as an
 * orphan; a plan may hang below any span that is not stored.
 */
export function buildForest(spans: readonly FoldedSpan[]): SpanNode[] {
  const nodes = new Map<string, SpanNode>()
  for (const span of spans) {
    const kind = span.attributes[ATTR.spanKind]
    nodes.set(span.spanId, {
      span,
      role: isRole(kind) ? kind : undefined,
      children: [],
      parent: undefined,
      orphan: false,
    })
  }
  const plans = new Map<string, SpanNode>()
  for (const node of nodes.values()) {
    const planId = node.span.attributes[ATTR.planId]
    if (node.role === 'plan' && planId !== undefined) plans.set(planId, node)
  }
  const roots: SpanNode[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(node.span.parentSpanId)
    const home = parent && !isBelow(parent, node, nodes) ? parent : adoptiveParent(node, plans)
    if (home) home.children.push(node)
    else roots.push(node)
    node.parent = home
    node.orphan = node.role !== undefined && !parent && node.span.parentSpanId !== '' && expectsParent(node)
  }
  return roots
}

/** Only a root plan (or an agent's record alone) may have a parent that nobody stored. */
const expectsParent = ({ role, span }: SpanNode): boolean =>
  role !== 'plan' || span.attributes[ATTR.planRootId] !== span.attributes[ATTR.planId]

function adoptiveParent(node: SpanNode, plans: ReadonlyMap<string, SpanNode>): SpanNode | undefined {
  if (node.role === undefined || node.span.parentSpanId === '') return undefined
  const key = node.role === 'plan' ? ATTR.planParentId : ATTR.planId
  const plan = plans.get(node.span.attributes[key] ?? '')
  return plan === node ? undefined : plan
}

/** Guards against parents that form a circle. */
function isBelow(start: SpanNode, node: SpanNode, nodes: ReadonlyMap<string, SpanNode>): boolean {
  const seen = new Set<SpanNode>()
  for (let at: SpanNode | undefined = start; at && !seen.has(at); at = nodes.get(at.span.parentSpanId)) {
    if (at === node) return true
    seen.add(at)
  }
  return false
}

/** The position that a span was given among its siblings of the same role. */
export function seqOf({ span }: SpanNode): number | undefined {
  const seq = Number(span.attributes[ATTR.seq] ?? Number.NaN)
  return Number.isSafeInteger(seq) ? seq : undefined
}

/**
 * The nearest spans of a role below a node, in order of their `planspan.seq`, then their start. Foreign spans are looked
 * through, and so are the roles in `through`.
 */
export function nearest(node: SpanNode, role: Role, through: readonly Role[] = []): SpanNode[] {
  const found: SpanNode[] = []
  const pending = [...node.children]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.role === role) found.push(next)
    else if (next.role === undefined || through.includes(next.role)) pending.push(...next.children)
  }
  return found.sort(bySeq)
}

function bySeq(a: SpanNode, b: SpanNode): number {
  const difference = (seqOf(a) ?? Number.MAX_SAFE_INTEGER) - (seqOf(b) ?? Number.MAX_SAFE_INTEGER)
  if (difference !== 0) return difference
  if (a.span.startTimeUnixNano !== b.span.startTimeUnixNano) {
    return a.span.startTimeUnixNano < b.span.startTimeUnixNano ? -1 : 1
  }
  return a.span.spanId < b.span.spanId ? -1 : 1
}

/** A node and all that hangs below it, parents first. */
export function* walk(node: SpanNode): Generator<SpanNode> {
  const pending = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next
    pending.push(...next.children)
  }
}
