import { append } from '../../base/append.js'
import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { foldSpans, type FoldedSpan } from './fold.js'
import { buildForest } from './forest.js'
import { nearest, walk, type SpanNode } from './span-node.js'
import { childrenKey } from './gaps.js'

/** Returns the steps whose agents have no cycles in the trace. */
export const stepsWithoutCycles = (spans: Iterable<StoredSpan>): string[] =>
  agentsOf(spans).flatMap((agent) => (hasCycles(agent) ? [] : [stepIdOf(agent)]))

/**
 * Returns the spans of a trace, with the cycles of its agents taken from another trace of the same steps. A sub-plan
 * that is in both traces is kept from the first and moves to its place in the second.
 */
export function joinAgents(spans: Iterable<StoredSpan>, donor: Iterable<StoredSpan>): FoldedSpan[] {
  const base = foldSpans(spans)
  const offered = new Map<string, SpanNode>()
  for (const agent of agentsOf(donor)) {
    if (hasCycles(agent)) offered.set(stepIdOf(agent), agent)
  }
  const changed = new Map<string, FoldedSpan>()
  const added: FoldedSpan[] = []
  for (const agent of agentsOf(base)) {
    const from = offered.get(stepIdOf(agent))
    if (!from || hasCycles(agent)) continue
    offered.delete(stepIdOf(agent))
    const graft = graftOf(agent, from)
    for (const span of graft.changed) changed.set(span.spanId, span)
    append(added, graft.added)
  }
  return [...base.map((span) => changed.get(span.spanId) ?? span), ...added]
}

const agentsOf = (spans: Iterable<StoredSpan>): SpanNode[] =>
  buildForest(foldSpans(spans))
    .flatMap((tree) => [...walk(tree)])
    .filter((node) => node.role === 'agent' && stepIdOf(node) !== '')

const hasCycles = (agent: SpanNode): boolean => nearest(agent, 'think_act').length > 0

const stepIdOf = ({ span }: SpanNode): string => span.attributes[ATTR.stepId] ?? ''

interface Graft {
  /** Spans of the base with changed parents or counts. */
  readonly changed: FoldedSpan[]
  readonly added: FoldedSpan[]
}

function graftOf(to: SpanNode, from: SpanNode): Graft {
  const parentIn = (node: SpanNode): string =>
    node.parent === undefined || node.parent === from ? to.span.spanId : node.parent.span.spanId
  const ownPlans = new Map(nearest(to, 'plan').map(({ span }) => [span.attributes[ATTR.planId] ?? '', span]))
  const moved: FoldedSpan[] = []
  const copies = new Set<SpanNode>()
  const added: FoldedSpan[] = []
  for (const node of walk(from)) {
    const own = node.role === 'plan' ? ownPlans.get(node.span.attributes[ATTR.planId] ?? '') : undefined
    if (node === from) continue
    if (node.parent && copies.has(node.parent)) copies.add(node)
    else if (own && ownPlans.delete(own.attributes[ATTR.planId] ?? '')) {
      copies.add(node)
      moved.push({ ...own, parentSpanId: parentIn(node) })
    } else added.push({ ...adopted(node.span, to.span, from.span), parentSpanId: parentIn(node) })
  }
  return { changed: [withCounts(to.span, from.span, moved.length), ...moved], added }
}

/** A copy of a span with the trace and plan of the base. */
function adopted(span: FoldedSpan, to: FoldedSpan, from: FoldedSpan): FoldedSpan {
  const attributes = { ...span.attributes }
  for (const key of [ATTR.planId, ATTR.planRootId]) {
    const own = to.attributes[key]
    if (own !== undefined && attributes[key] === from.attributes[key]) attributes[key] = own
  }
  return { ...span, traceId: to.traceId, attributes }
}

/** The agent with the children of both traces. A sub-plan that is in both is counted in both. */
function withCounts(to: FoldedSpan, from: FoldedSpan, shared: number): FoldedSpan {
  const attributes: Record<string, string> = { ...to.attributes, [ATTR.agentDetail]: 'full' }
  for (const [key, count] of Object.entries(from.attributes)) {
    if (key.startsWith(ATTR.childrenPrefix)) attributes[key] = String(Number(count) + Number(attributes[key] ?? 0))
  }
  const { [childrenKey('plan')]: plans = '0', ...rest } = attributes
  const distinct = Number(plans) - shared
  return { ...to, attributes: distinct > 0 ? { ...rest, [childrenKey('plan')]: String(distinct) } : rest }
}
