import { ATTR, ROLES, type Role } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { isSubPlan, NOTHING_AROUND, type SpanNode } from './span-node.js'

const isRole = (text: string | undefined): text is Role => ROLES.some((role) => role === text)

/**
 * Links the spans of one trace to their parents. If a plan's span lacks its parent, it moves below the plan span and is
 * marked as an orphan. A plan may have a parent that is not stored.
 */
export function linkSpans(spans: readonly FoldedSpan[]): SpanNode[] {
  const nodes = new Map<string, SpanNode>()
  const plans = new Map<string, SpanNode>()
  for (const span of spans) {
    const kind = span.attributes[ATTR.spanKind]
    const role = isRole(kind) ? kind : undefined
    const node: SpanNode = {
      span,
      role,
      children: [],
      parent: undefined,
      orphan: false,
      segment: 0,
      begun: begunOf(span),
      around: NOTHING_AROUND,
      gaps: [],
    }
    nodes.set(span.spanId, node)
    const planId = span.attributes[ATTR.planId]
    if (role === 'plan' && planId !== undefined) plans.set(planId, node)
  }
  const linked = [...nodes.values()]
  for (const node of linked) {
    const parent = nodes.get(node.span.parentSpanId)
    node.parent = parent && parent !== node ? parent : adoptiveParent(node, plans)
    node.orphan = node.role !== undefined && !parent && node.span.parentSpanId !== '' && expectsParent(node)
  }
  breakCircles(linked, (node) => leaveCircle(node, plans))
  for (const node of linked) node.parent?.children.push(node)
  return linked
}

function begunOf({ attributes, startTimeUnixNano }: FoldedSpan): bigint {
  const begun = attributes[ATTR.segmentBegun] ?? ''
  return /^\d{1,19}$/.test(begun) ? BigInt(begun) : startTimeUnixNano
}

/** Only a root plan, or an agent whose record was imported alone, may have a parent that is not stored. */
const expectsParent = (node: SpanNode): boolean => node.role !== 'plan' || isSubPlan(node)

function adoptiveParent(node: SpanNode, plans: ReadonlyMap<string, SpanNode>): SpanNode | undefined {
  if (node.role === undefined || node.span.parentSpanId === '') return undefined
  const key = node.role === 'plan' ? ATTR.planParentId : ATTR.planId
  const plan = plans.get(node.span.attributes[key] ?? '')
  return plan === node ? undefined : plan
}

/** Moves a span out of a circle of parents: to its plan, or to no parent. */
function leaveCircle(node: SpanNode, plans: ReadonlyMap<string, SpanNode>): void {
  node.parent = undefined
  const plan = adoptiveParent(node, plans)
  node.parent = plan && isBelow(plan, node) ? undefined : plan
}

function isBelow(start: SpanNode, node: SpanNode): boolean {
  const seen = new Set<SpanNode>()
  for (let at: SpanNode | undefined = start; at && !seen.has(at); at = at.parent) {
    if (at === node) return true
    seen.add(at)
  }
  return false
}

/** Breaks circles of parents: calls `leave` with one node of each circle. */
export function breakCircles<Node extends { readonly parent: Node | undefined }>(
  nodes: readonly Node[],
  leave: (node: Node) => void,
): void {
  const checked = new Set<Node>()
  for (const node of nodes) {
    const path = new Set<Node>()
    for (let at: Node | undefined = node; at && !checked.has(at); at = at.parent) {
      if (path.has(at)) {
        leave(at)
        break
      }
      path.add(at)
    }
    for (const passed of path) checked.add(passed)
  }
}
