import type { PlanEnd } from '../adopt/index.js'

/** An end of a trace, with the trace of the plan that the trace belongs to. */
export interface KnownEnd extends PlanEnd {
  readonly planTraceId: string
}

/**
 * Returns for each trace that begins with an answer the trace of the plan that asked for it. In a conversation, the
 * last question before the answer counts. Elsewhere ids may repeat, so there must be only one question.
 */
export function continuationsOf(ends: readonly KnownEnd[]): ReadonlyMap<string, string> {
  const planOf = new Map(ends.map(({ traceId, planTraceId }) => [traceId, planTraceId]))
  const asking = ends.filter(({ side }) => side === 'asks')
  const found = new Map<string, string>()
  const answering = ends.filter(({ side, traceId, planTraceId }) => side === 'answers' && traceId === planTraceId)
  for (const answer of answering.toSorted(byTime)) {
    const { traceId, key, time, isConversation } = answer
    if (found.has(traceId)) continue
    const asked = asking
      .filter((end) => end.key === key && end.traceId !== traceId && end.time <= time)
      .toSorted(byTime)
    const traces = new Set(asked.map((end) => end.planTraceId))
    const last = asked.at(-1)
    if (last && (isConversation || traces.size === 1))
      found.set(traceId, found.get(last.traceId) ?? planOf.get(last.traceId) ?? last.planTraceId)
  }
  return found
}

/** Questions before answers of the same time. */
const byTime = (a: PlanEnd, b: PlanEnd): number =>
  a.time < b.time ? -1 : a.time > b.time ? 1 : a.side < b.side ? -1 : Number(a.traceId > b.traceId)
