import { ATTR, type Role, ROLES, type StoredSpan } from '../../semconv/index.js'
import type { Parts } from './merge-nodes.js'
import { ancestors, isSubPlan, nearest, type SpanNode } from './span-node.js'

/** How many children of each role a span has, as its own final row says. */
export const childrenKey = (role: Role): string => `${ATTR.childrenPrefix}${role}`

const CHILDREN = ROLES.map((role) => [role, childrenKey(role)] as const)

/** The gaps right below a node as it was stored, and of the node itself, in words. */
export function gapsOf(node: SpanNode): string[] {
  const { span, role } = node
  const { [ATTR.adoptedGap]: lost } = span.attributes
  const gaps = lost === undefined ? [] : [lost]
  if (role === undefined) return gaps
  for (const [role, key] of CHILDREN) {
    const told = Number(span.attributes[key] ?? 0)
    const stored = told > 0 ? nearest(node, role).filter((child) => !child.orphan && !isLater(child, node)).length : 0
    if (stored < told) gaps.push(`${told - stored} of ${told} ${role} spans below "${span.name}"`)
  }
  if (span.pending && hasOutlived(node)) gaps.push(`the end of "${span.name}"`)
  return gaps
}

/** A plan's later segment hangs below the earlier one, which does not count it. */
const isLater = (child: SpanNode, node: SpanNode): boolean =>
  node.role === 'plan' &&
  child.role === 'plan' &&
  child.span.attributes[ATTR.planId] === node.span.attributes[ATTR.planId]

/** Whether what a span belongs to ended for good, so that its own end must have been sent before. */
function hasOutlived(node: SpanNode): boolean {
  for (const { role, span } of ancestors(node)) {
    if (role !== undefined) return !span.pending && !LEFT_OPEN.has(span.attributes[ATTR.state] ?? '')
  }
  return false
}

/** The states in which a span may have ended before those below it. */
const LEFT_OPEN: ReadonlySet<string> = new Set(['waiting', 'interrupted'])

/** How many segments are missing of those that a root plan says there are. */
export function missingSegments(parts: Parts): string[] {
  const [plan] = parts
  if (isSubPlan(plan)) return []
  const stored = new Set(parts.map(({ span }) => segmentOf(span)))
  const told = parts.reduce((last, { span }) => Math.max(last, segmentOf(span)), 0) + 1
  return stored.size < told ? [`${told - stored.size} of ${told} segments of "${plan.span.name}"`] : []
}

/** Which segment of its plan a plan span says it is, from 0. */
export function segmentOf({ attributes }: StoredSpan): number {
  const segment = Number(attributes[ATTR.planSegment] ?? 0)
  return Number.isSafeInteger(segment) && segment > 0 ? segment : 0
}
