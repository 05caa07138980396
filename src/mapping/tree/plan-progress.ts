import { appendTo } from '../../base/append.js'
import { ATTR } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { isOpenWait, isUnfinished } from './state.js'
import type { SpanNode } from './span-node.js'

/** The progress of a live plan, from its spans and those of its sub-plans. */
export interface PlanProgress {
  /** The latest time in the plan, Unix nanoseconds. */
  readonly lastHeard: bigint
  /** Whether a wait is open that was updated since the latest segment began. */
  readonly isWaiting: boolean
}

/**
 * Returns a function that computes the progress of live plans. A root plan includes its sub-plans. The spans are read
 * once.
 */
export function progressOf(spans: readonly FoldedSpan[]): (plan: SpanNode) => PlanProgress {
  let plans: ReadonlyMap<string, readonly FoldedSpan[]> | undefined
  const known = new Map<SpanNode, PlanProgress>()
  return (plan) => {
    const found = known.get(plan)
    if (found) return found
    plans ??= byPlan(spans)
    const progress = progressOfPlan(plan, plans.get(plan.span.attributes[ATTR.planId] ?? '') ?? [])
    known.set(plan, progress)
    return progress
  }
}

function byPlan(spans: readonly FoldedSpan[]): ReadonlyMap<string, readonly FoldedSpan[]> {
  const plans = new Map<string, FoldedSpan[]>()
  for (const span of spans) {
    const { [ATTR.planId]: planId = '', [ATTR.planRootId]: rootId = '' } = span.attributes
    for (const id of new Set([planId, rootId])) appendTo(plans, id, span)
  }
  return plans
}

function progressOfPlan({ begun }: SpanNode, spans: readonly FoldedSpan[]): PlanProgress {
  const lastHeard = spans.reduce((last, span) => (endOf(span) > last ? endOf(span) : last), 0n)
  const waits = spans.filter(({ attributes }) => attributes[ATTR.spanKind] === 'wait')
  const closed = new Set(waits.filter((wait) => !isOpenWait(wait)).map(waitKey))
  const isWaiting = waits.some((wait) => isOpenWait(wait) && !closed.has(waitKey(wait)) && endOf(wait) >= begun)
  return { lastHeard, isWaiting }
}

/** The end of a span. A span never ends before it starts. */
export const endOf = ({ startTimeUnixNano, endTimeUnixNano }: FoldedSpan): bigint =>
  endTimeUnixNano > startTimeUnixNano ? endTimeUnixNano : startTimeUnixNano

/**
 * Returns how long the work of a span took, nanoseconds: over all segments, from the first start to the last end.
 * Undefined while it is not over, and for an imported record without times.
 */
export function durationOf(node: SpanNode): bigint | undefined {
  if (isUnfinished(node)) return undefined
  const { span } = node
  const duration = endOf(span) - span.startTimeUnixNano
  return duration === 0n && span.attributes[ATTR.timeSynthetic] === 'true' ? undefined : duration
}

/** The key that all spans of one wait share. */
export const waitKey = ({ attributes, spanId }: FoldedSpan): string => attributes[ATTR.waitId] || spanId

/**
 * Returns when a plan counts as interrupted if nothing more arrives, Unix nanoseconds. Undefined if the plan announced
 * no heartbeat.
 */
export function silentAt({ span }: SpanNode, { lastHeard }: PlanProgress): bigint | undefined {
  const interval = Number(span.attributes[ATTR.heartbeatIntervalMs] ?? 0)
  return Number.isSafeInteger(interval) && interval > 0 ? lastHeard + BigInt(interval) * 1_000_000n : undefined
}
