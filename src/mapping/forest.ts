import { ATTR, isOver, type State } from '../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { gapsOf } from './gaps.js'
import { joinSegments } from './join-segments.js'
import { linkSpans } from './link-spans.js'
import { progressOf, silentAt } from './plan-progress.js'
import { stateOf, toldState } from './state.js'
import type { SpanNode } from './tree.js'

export interface ForestOptions {
  /**
   * The time by which a silent live plan counts as interrupted, Unix nanoseconds.
   * @default none does
   */
  readonly now?: bigint | undefined
}

/** The spans of one trace as trees, the segments of each plan joined to one plan. */
export function buildForest(spans: readonly FoldedSpan[], { now }: ForestOptions = {}): SpanNode[] {
  const nodes = linkSpans(spans)
  for (const node of nodes) node.gaps = gapsOf(node)
  joinSegments(nodes)
  const roots = nodes.filter(({ parent }) => parent === undefined)
  if (isLive(spans)) halt(roots, spans, now)
  return roots
}

const isLive = (spans: readonly FoldedSpan[]): boolean =>
  !spans.some(({ attributes }) => attributes[ATTR.recordDialect])

/** Finds what has begun and not ended, and goes on no more. An import stands as it says. */
function halt(roots: readonly SpanNode[], spans: readonly FoldedSpan[], now: bigint | undefined): void {
  const progress = progressOf(spans)
  const pending = roots.map((node) => ({ node, above: undefined as SpanNode['halted'], isOutermost: true }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, above, isOutermost } = next
    node.halted ??= above
    if (node.role === 'plan' && node.span.pending && !node.halted) node.halted = haltOf(node, isOutermost)
    const below = node.role === 'plan' ? haltedBelow(node) : above
    for (const child of node.children) {
      pending.push({ node: child, above: below, isOutermost: isOutermost && node.role !== 'plan' })
    }
  }

  function haltOf(plan: SpanNode, isOutermost: boolean): SpanNode['halted'] {
    const found = progress(plan.span.attributes[ATTR.planId] ?? '')
    if (found.isWaiting || toldState(plan.span) === 'waiting') return 'waiting'
    const limit = silentAt(found)
    const isSilent = now !== undefined && limit !== undefined && now > limit
    // A sub-plan is heard of with its root.
    return isOutermost && isSilent ? 'interrupted' : undefined
  }
}

/** The state of the spans that a plan left open. */
function haltedBelow(plan: SpanNode): SpanNode['halted'] {
  const state: State = stateOf(plan)
  if (isOver(state)) return 'interrupted'
  return state === 'waiting' && !plan.span.pending ? 'waiting' : undefined
}
