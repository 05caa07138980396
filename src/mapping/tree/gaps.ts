import { ATTR, type Role, ROLES, type StoredSpan } from '../../semconv/index.js'
import type { Parts } from './merge-nodes.js'
import { ancestors, isSubPlan, nearest, type SpanNode } from './span-node.js'

/** The attribute in which a final span counts its children of a role. */
export const childrenKey = (role: Role): string => `${ATTR.childrenPrefix}${role}`

/** Whether an attribute counts the children of a span. */
export const isChildCount = (key: string): boolean => key.startsWith(ATTR.childrenPrefix)

const CHILDREN = ROLES.map((role) => [role, childrenKey(role)] as const)

/** Describes what is missing directly below a stored node, and what the node itself lacks. */
export function gapsOf(node: SpanNode): string[] {
  const { span, role } = node
  const { [ATTR.adoptedGap]: lost } = span.attributes
  const gaps = lost === undefined ? [] : [lost]
  if (role === undefined) return gaps
  for (const [role, key] of CHILDREN) {
    const expected = Number(span.attributes[key] ?? 0)
    const stored =
      expected > 0 ? nearest(node, role).filter((child) => !child.orphan && !isLater(child, node)).length : 0
    if (stored < expected) gaps.push(`${expected - stored} of ${expected} ${role} spans below "${span.name}"`)
  }
  if (span.pending && hasOutlived(node)) gaps.push(`the end of "${span.name}"`)
  return gaps
}

/** Whether a child is a later segment of the node's plan. The earlier segment does not count it as a child. */
const isLater = (child: SpanNode, node: SpanNode): boolean =>
  node.role === 'plan' &&
  child.role === 'plan' &&
  child.span.attributes[ATTR.planId] === node.span.attributes[ATTR.planId]

/**
 * Whether the plan, agent or cycle around a span ended for good. The span's own end must have been sent before that.
 */
function hasOutlived(node: SpanNode): boolean {
  for (const { role, span } of ancestors(node)) {
    if (role !== undefined) return !span.pending && !LEFT_OPEN.has(span.attributes[ATTR.state] ?? '')
  }
  return false
}

/** The states in which a span may end before the spans below it. */
const LEFT_OPEN: ReadonlySet<string> = new Set(['waiting', 'interrupted'])

/** Describes how many of a root plan's segments are missing. */
export function missingSegments(parts: Parts): string[] {
  const [plan] = parts
  if (isSubPlan(plan)) return []
  const stored = new Set(parts.map(({ span }) => segmentOf(span)))
  const expected = parts.reduce((last, { span }) => Math.max(last, segmentOf(span)), 0) + 1
  return stored.size < expected ? [`${expected - stored.size} of ${expected} segments of "${plan.span.name}"`] : []
}

/** Returns the number of the segment that a plan span is, from 0. */
export function segmentOf({ attributes }: StoredSpan): number {
  const segment = Number(attributes[ATTR.planSegment] ?? 0)
  return Number.isSafeInteger(segment) && segment > 0 ? segment : 0
}
