import { append, appendTo } from '../../base/append.js'
import { ATTR } from '../../semconv/index.js'
import { continueAgents } from './continue-agents.js'
import { continueNumbers } from './continue-numbers.js'
import type { FoldedSpan } from './fold.js'
import { missingSegments, segmentOf } from './gaps.js'
import { bySegment } from './join-spans.js'
import { mergeNodes, type Parts } from './merge-nodes.js'
import { isOpenWait } from './state.js'
import { isSubPlan, type SpanNode } from './span-node.js'
import { byEnd } from './span-order.js'

/**
 * Joins the segments of each plan into one node. A later segment has a number, or begins below a later segment of the
 * parent plan after a segment that never ended. Agents are joined by their step id, waits by their wait id.
 */
export function joinSegments(nodes: readonly SpanNode[]): void {
  const plans = new Map<string, [SpanNode, ...SpanNode[]]>()
  // Root plans first: joining a sub-plan needs to know the segment of its root plan.
  const inOrder = nodes.filter(({ role }) => role === 'plan').sort(rootsFirst)
  for (const node of inOrder) appendTo(plans, planKey(node), node)
  for (const found of plans.values()) {
    for (const parts of runsOf(found)) {
      const gaps = missingSegments(parts)
      const plan = joinPlan(parts)
      if (gaps.length > 0) plan.gaps = [...plan.gaps, ...gaps]
    }
  }
  joinWaits(nodes)
}

const rootsFirst = (a: SpanNode, b: SpanNode): number => Number(isSubPlan(a)) - Number(isSubPlan(b))

const planKey = ({ span }: SpanNode): string =>
  `${span.attributes[ATTR.planRootId] ?? ''}\n${span.attributes[ATTR.planId] ?? ''}`

interface Part {
  readonly node: SpanNode
  readonly span: FoldedSpan
  readonly segment: number
  /** The segment of the root plan that contains this part. */
  readonly rootSegment: number
}

/** Groups the plan spans of one id by run. The parts of each run are in order. */
function runsOf(plans: readonly [SpanNode, ...SpanNode[]]): Parts[] {
  if (plans.length === 1) return [plans]
  const parts = plans
    .map((node): Part => ({ node, span: node.span, segment: segmentOf(node.span), rootSegment: node.segment }))
    .sort((a, b) => a.rootSegment - b.rootSegment || bySegment(a, b))
  const runs: [Part, ...Part[]][] = []
  const runOf = new Map<SpanNode | undefined, [Part, ...Part[]]>()
  for (const part of parts) {
    const run = runOf.get(part.node.parent) ?? runs.at(-1)
    if (run && continues(part, run.at(-1) ?? run[0])) {
      run.push(part)
      runOf.set(part.node, run)
    } else {
      const begun: [Part] = [part]
      runs.push(begun)
      runOf.set(part.node, begun)
    }
  }
  return runs.map(([first, ...rest]) => [first.node, ...rest.map(({ node }) => node)])
}

/**
 * A part without a number continues the plan if it is in a later segment of the root plan and the earlier part had not
 * ended.
 */
const continues = (part: Part, last: Part): boolean =>
  part.segment > 0 || (part.rootSegment > last.rootSegment && !hasEnded(last.span))

const hasEnded = ({ pending, attributes }: FoldedSpan): boolean =>
  !pending && !['waiting', 'interrupted'].includes(attributes[ATTR.state] ?? '')

function joinPlan(parts: Parts): SpanNode {
  if (parts.length === 1) return parts[0]
  const all = new Set<SpanNode>(parts)
  for (const [segment, part] of parts.entries()) {
    for (const node of below(part, all)) node.segment = segment
  }
  continueNumbers(parts)
  const plan = mergeNodes(parts, 'last')
  continueAgents(plan)
  return plan
}

/** All nodes below a part that belong to no other part. */
function* below(part: SpanNode, parts: ReadonlySet<SpanNode>): Generator<SpanNode> {
  const pending = [...part.children]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (parts.has(next)) continue
    yield next
    append(pending, next.children)
  }
}

function joinWaits(nodes: readonly SpanNode[]): void {
  const waits = new Map<string, [SpanNode, ...SpanNode[]]>()
  for (const node of nodes) {
    const id = node.role === 'wait' ? node.span.attributes[ATTR.waitId] : undefined
    if (id !== undefined && id !== '') appendTo(waits, id, node)
  }
  for (const parts of waits.values()) if (parts.length > 1) mergeNodes(parts.sort(byAnswer), 'first')
}

/** Orders the parts of a wait: the answered one is last. */
const byAnswer = (a: SpanNode, b: SpanNode): number =>
  Number(!isOpenWait(a.span)) - Number(!isOpenWait(b.span)) || byEnd(a.span, b.span)
