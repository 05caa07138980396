import { append } from '../../base/append.js'
import { ATTR, OWN_ERA, type Role, ROLES } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { byStart } from './span-order.js'
import type { StateFacts } from './state-rules.js'

/** A span in its tree. A span of foreign instrumentation has no role. */
export interface SpanNode {
  /** The stored span. For a plan, agent or wait with several segments, their joined span. */
  span: FoldedSpan
  readonly role: Role | undefined
  readonly children: SpanNode[]
  parent: SpanNode | undefined
  /** The parent span is missing, although planspan's own spans always have one here. */
  orphan: boolean
  /** The segment of the resumed plan that contains the span, from 0. */
  segment: number
  /** When the span began, Unix nanoseconds. For a span with several segments, when the latest began. */
  begun: bigint
  around: Surroundings
  /** Descriptions of what is missing directly below the span, or in the span itself. */
  gaps: readonly string[]
}

/** Facts about the surroundings of a live plan's span that decide its state. */
export type Surroundings = Pick<StateFacts, 'leftBehind' | 'belowOver' | 'belowSuspended' | 'awaits' | 'isSilent'>

export const NOTHING_AROUND: Surroundings = {
  leftBehind: false,
  belowOver: false,
  belowSuspended: false,
  awaits: false,
  isSilent: false,
}

/** Returns the format of the record of another system that a span is the root of, also after conversions. */
export const recordOriginOf = ({ attributes }: Pick<FoldedSpan, 'attributes'>): string | undefined =>
  attributes[ATTR.recordEra] === OWN_ERA ? attributes[ATTR.recordOrigin] : attributes[ATTR.recordDialect]

/** Whether a span is the root of a record that another system wrote. Such a record has fewer facts than a live plan. */
export const isForeignRecord = (span: Pick<FoldedSpan, 'attributes'>): boolean => recordOriginOf(span) !== undefined

/** Whether a plan is part of another plan, according to its ids. */
export const isSubPlan = ({ span }: SpanNode): boolean =>
  span.attributes[ATTR.planId] !== span.attributes[ATTR.planRootId]

/** The recorded position of a span among its siblings of the same role. */
export function seqOf({ span }: SpanNode): number | undefined {
  const seq = Number(span.attributes[ATTR.seq] ?? Number.NaN)
  return Number.isSafeInteger(seq) ? seq : undefined
}

/**
 * Returns the nearest spans of a role below a node, ordered by segment, `planspan.seq`, then start. The search passes
 * through foreign spans and the roles in `through`.
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

/** Orders siblings by segment, `planspan.seq`, then start. */
export const bySeq = (a: SpanNode, b: SpanNode): number =>
  a.segment - b.segment ||
  (seqOf(a) ?? Number.MAX_SAFE_INTEGER) - (seqOf(b) ?? Number.MAX_SAFE_INTEGER) ||
  byStart(a.span, b.span)

const RANKS = new Map<Role | undefined, number>(ROLES.map((role, rank) => [role, rank]))

/** Returns the children of a node, also those below foreign spans, in the order of roles, then of `bySeq`. */
export function childrenInOrder(node: SpanNode): SpanNode[] {
  const found: SpanNode[] = []
  const pending = [...node.children]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.role === undefined) append(pending, next.children)
    else found.push(next)
  }
  return found.sort((a, b) => (RANKS.get(a.role) ?? 0) - (RANKS.get(b.role) ?? 0) || bySeq(a, b))
}

/** Yields a node and everything below it, parents first. */
export function* walk(node: SpanNode): Generator<SpanNode> {
  const pending = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next
    append(pending, next.children)
  }
}

/** Returns all nodes of the trees, in the order of `walk`. */
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

/** Yields the nodes below a plan that belong to none of its sub-plans, parents first. */
export function* ownNodes(plan: SpanNode): Generator<SpanNode> {
  const pending = [...plan.children]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.role === 'plan') continue
    yield next
    append(pending, next.children)
  }
}

/**
 * Returns a function that computes a value for a node from the values of its children. Each node of a finished tree is
 * computed once, from the bottom up: searching below each of many nested nodes would take quadratic time.
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

/** Yields the nodes above a node, the nearest first. */
export function* ancestors(node: SpanNode): Generator<SpanNode> {
  for (let above = node.parent; above; above = above.parent) yield above
}
