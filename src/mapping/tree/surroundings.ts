import { appendTo } from '../../base/append.js'
import { isOver } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { segmentOf } from './gaps.js'
import { endOf, progressOf, silentAt, waitKey } from './plan-progress.js'
import { isAwaited, stateOf } from './state.js'
import { ancestors, isSubPlan, type SpanNode } from './span-node.js'

/** What a span inherits from the plans above it. */
interface Above {
  readonly isBelowPlan: boolean
  /** When the latest segment of the root plan began. Undefined for a plan that was never resumed. */
  readonly resumedAt: bigint | undefined
  readonly belowOver: boolean
  readonly belowSuspended: boolean
}

const OUTSIDE: Above = { isBelowPlan: false, resumedAt: undefined, belowOver: false, belowSuspended: false }

export interface SurroundOptions {
  readonly spans: readonly FoldedSpan[]
  /** The places of each wait, by its key, before its parts were joined. */
  readonly asked: ReadonlyMap<string, readonly SpanNode[]>
  readonly now: bigint | undefined
}

/**
 * Sets the surroundings of each span of live plans, from the top down: the states of plans decide the states below
 * them.
 */
export function surround(roots: readonly SpanNode[], { spans, asked, now }: SurroundOptions): void {
  const progress = progressOf(spans)
  const waits: SpanNode[] = []
  const pending = roots.map((node) => ({ node, above: OUTSIDE }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node } = next
    // A root plan is independent of a plan whose call is above it.
    const above = node.role === 'plan' && !isSubPlan(node) ? OUTSIDE : next.above
    const { belowOver, belowSuspended } = above
    const isOpenPlan = node.role === 'plan' && node.span.pending
    node.around = {
      belowOver,
      belowSuspended,
      leftBehind: isLeftBehind(node, above),
      awaits: isOpenPlan && progress(node).isWaiting,
      isSilent: isOpenPlan && !above.isBelowPlan && isSilent(node),
    }
    if (node.role === 'wait') waits.push(node)
    const below = node.role === 'plan' ? belowPlan(node, above) : above
    for (const child of node.children) pending.push({ node: child, above: below })
  }
  for (const wait of waits) {
    for (const place of isAwaited(wait) ? (asked.get(waitKey(wait.span)) ?? []) : []) markWaiting(place)
  }

  function isSilent(plan: SpanNode): boolean {
    if (now === undefined) return false
    const limit = silentAt(plan, progress(plan))
    return limit !== undefined && now > limit
  }
}

function isLeftBehind({ role, span, begun }: SpanNode, { resumedAt }: Above): boolean {
  return resumedAt !== undefined && (role === 'wait' ? endOf(span) : begun) < resumedAt
}

function belowPlan(plan: SpanNode, above: Above): Above {
  const state = stateOf(plan)
  const { resumedAt } = above
  return {
    isBelowPlan: true,
    resumedAt: above.isBelowPlan ? resumedAt : segmentOf(plan.span) > 0 ? plan.begun : undefined,
    belowOver: above.belowOver || isOver(state),
    belowSuspended: above.belowSuspended || (state === 'waiting' && !plan.span.pending),
  }
}

/** Marks a span and the spans above it as waiting. A plan's own state follows from its progress. */
function markWaiting(place: SpanNode): void {
  for (const node of [place, ...ancestors(place)]) {
    if (node.role !== 'plan') node.around = { ...node.around, awaits: true }
  }
}

/** The parents of each wait's spans, by the wait's key. */
export function placesOfWaits(nodes: readonly SpanNode[]): Map<string, SpanNode[]> {
  const places = new Map<string, SpanNode[]>()
  for (const { role, span, parent } of nodes) {
    if (role !== 'wait' || !parent) continue
    appendTo(places, waitKey(span), parent)
  }
  return places
}
