import { append } from '../../append.js'
import { ATTR, type Role } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import type { StateFacts } from './state-rules.js'

/** A span in its tree. A span of foreign instrumentation has no role. */
export interface SpanNode {
  /** The stored span; of a plan, agent or wait of several segments the sum of theirs. */
  span: FoldedSpan
  readonly role: Role | undefined
  readonly children: SpanNode[]
  parent: SpanNode | undefined
  /** The parent span is not stored, although planspan's spans of the same plan say there is one. */
  orphan: boolean
  /** In which segment of a resumed plan it stands, from 0. */
  segment: number
  /** When it began, or of what spans several segments the latest part; Unix nanoseconds. */
  begun: bigint
  around: Surroundings
  /** The gaps right below it, or of itself, in words. */
  gaps: readonly string[]
}

/** What stands around a span of a live plan, as far as it decides of the span's state. */
export type Surroundings = Pick<StateFacts, 'leftBehind' | 'belowOver' | 'belowSuspended' | 'awaits' | 'isSilent'>

export const NOTHING_AROUND: Surroundings = {
  leftBehind: false,
  belowOver: false,
  belowSuspended: false,
  awaits: false,
  isSilent: false,
}

/** Whether a plan is part of another one, which its ids say. */
export const isSubPlan = ({ span }: SpanNode): boolean =>
  span.attributes[ATTR.planId] !== span.attributes[ATTR.planRootId]

/** The position that a span was given among its siblings of the same role. */
export function seqOf({ span }: SpanNode): number | undefined {
  const seq = Number(span.attributes[ATTR.seq] ?? Number.NaN)
  return Number.isSafeInteger(seq) ? seq : undefined
}

/**
 * The nearest spans of a role below a node, in order of their segment, their `planspan.seq`, then their start. Foreign
 * spans are looked through, and so are the roles in `through`.
 */
export function nearest(node: SpanNode, role: Role, through: readonly Role[] = []): SpanNode[] {
  const found: SpanNode[] = []
  const pending = [...node.children]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.role === role) found.push(next)
    else if (next.role === undefined || through.includes(next.role)) append(pending, next.children)
  }
  return found.sort(bySeq)
}

/** The order of siblings: by segment, `planspan.seq`, start. */
export function bySeq(a: SpanNode, b: SpanNode): number {
  if (a.segment !== b.segment) return a.segment - b.segment
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
    append(pending, next.children)
  }
}

/** All nodes of some trees, in the order of `walk`. */
export function nodesOf(roots: readonly SpanNode[]): SpanNode[] {
  const nodes: SpanNode[] = []
  for (const root of roots) {
    const pending = [root]
    for (let next = pending.pop(); next; next = pending.pop()) {
      nodes.push(next)
      append(pending, next.children)
    }
  }
  return nodes
}

/** All below a plan that belongs to it and to no sub-plan, parents first. */
export function* ownNodes(plan: SpanNode): Generator<SpanNode> {
  const pending = [...plan.children]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.role === 'plan') continue
    yield next
    append(pending, next.children)
  }
}

/**
 * What is made of a node and of the same of those right below it: worked out once for each node of a finished tree, and
 * from the bottom up, since what asks below each of many nodes in one another would never end.
 */
export function fromBelow<T>(make: (node: SpanNode, below: (child: SpanNode) => T) => T): (root: SpanNode) => T {
  const known = new WeakMap<SpanNode, { readonly value: T }>()
  const valueOf = (node: SpanNode): T => (known.get(node) as { readonly value: T }).value
  return (root) => {
    const pending = [root]
    for (let node = pending.at(-1); node; node = pending.at(-1)) {
      const unknown = known.has(node) ? [] : node.children.filter((child) => !known.has(child))
      append(pending, unknown)
      if (unknown.length > 0) continue
      if (!known.has(node)) known.set(node, { value: make(node, valueOf) })
      pending.pop()
    }
    return valueOf(root)
  }
}

/** All that stands above a node, the nearest first. */
export function* ancestors(node: SpanNode): Generator<SpanNode> {
  for (let above = node.parent; above; above = above.parent) yield above
}
