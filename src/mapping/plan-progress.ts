import { ATTR } from '../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { segmentOf } from './gaps.js'
import { bySegment } from './join-spans.js'
import { isOpenWait } from './state.js'

/** The progress of a live plan, as its spans and its sub-plans' tell it. The store's `plan_states` holds the same. */
export interface PlanProgress {
  /** The plan's own span of its latest segment; undefined while it is not stored. */
  readonly latest: FoldedSpan | undefined
  /** The latest time in the plan, Unix nanoseconds. */
  readonly lastHeard: bigint
  /** Whether a wait is open that was heard of since the latest segment began. */
  readonly isWaiting: boolean
}

/** A live plan with its sub-plans, by the plan's id. */
export function progressOf(spans: readonly FoldedSpan[]): (planId: string) => PlanProgress {
  let plans: ReadonlyMap<string, readonly FoldedSpan[]> | undefined
  return (planId) => progressOfPlan(planId, (plans ??= byPlan(spans)).get(planId) ?? [])
}

function byPlan(spans: readonly FoldedSpan[]): ReadonlyMap<string, readonly FoldedSpan[]> {
  const plans = new Map<string, FoldedSpan[]>()
  for (const span of spans) {
    const { [ATTR.planId]: planId = '', [ATTR.planRootId]: rootId = '' } = span.attributes
    for (const id of new Set([planId, rootId])) {
      const members = plans.get(id)
      if (members) members.push(span)
      else plans.set(id, [span])
    }
  }
  return plans
}

function progressOfPlan(planId: string, spans: readonly FoldedSpan[]): PlanProgress {
  let latest: { segment: number; span: FoldedSpan } | undefined
  let lastHeard = 0n
  for (const span of spans) {
    const end = endOf(span)
    if (end > lastHeard) lastHeard = end
    if (span.attributes[ATTR.spanKind] !== 'plan' || span.attributes[ATTR.planId] !== planId) continue
    const candidate = { segment: segmentOf(span), span }
    if (!latest || bySegment(latest, candidate) < 0) latest = candidate
  }
  const since = latest?.span.startTimeUnixNano ?? 0n
  const waits = spans.filter(({ attributes }) => attributes[ATTR.spanKind] === 'wait')
  const closed = new Set(waits.filter((wait) => !isOpenWait(wait)).map(waitKey))
  const isWaiting = waits.some((wait) => isOpenWait(wait) && !closed.has(waitKey(wait)) && endOf(wait) >= since)
  return { latest: latest?.span, lastHeard, isWaiting }
}

const endOf = ({ startTimeUnixNano, endTimeUnixNano }: FoldedSpan): bigint =>
  endTimeUnixNano > startTimeUnixNano ? endTimeUnixNano : startTimeUnixNano

const waitKey = ({ attributes, spanId }: FoldedSpan): string => attributes[ATTR.waitId] || spanId

/**
 * When a plan counts as interrupted unless more is heard of it, Unix nanoseconds; never where it announced no
 * heartbeat.
 */
export function silentAt({ latest, lastHeard }: PlanProgress): bigint | undefined {
  const interval = Number(latest?.attributes[ATTR.heartbeatIntervalMs] ?? 0)
  return Number.isSafeInteger(interval) && interval > 0 ? lastHeard + BigInt(interval) * 1_000_000n : undefined
}
