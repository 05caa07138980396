import type { Span } from '../semconv/index.js'
import type { CheckOptions } from './request.js'
import type { PartialSuccess } from './response.js'
import { SpanVerdict, TIME_LIMIT } from './span-verdict.js'

/** Checks planspan's own spans as `receive` checks a client's. Returns undefined if no span is rejected. */
export function refusedSpans(spans: Iterable<Span>, options: CheckOptions): PartialSuccess | undefined {
  const verdict = new SpanVerdict(options)
  const reasons: string[] = []
  for (const { startTimeUnixNano, endTimeUnixNano, events } of spans) {
    verdict.begin()
    verdict.setTraceId(true)
    verdict.setSpanId(true)
    verdict.setStart(startTimeUnixNano)
    checkTime(verdict, 'startTimeUnixNano', startTimeUnixNano)
    checkTime(verdict, 'endTimeUnixNano', endTimeUnixNano)
    for (const { timeUnixNano } of events) checkTime(verdict, 'timeUnixNano', timeUnixNano)
    const reason = verdict.reason()
    if (reason !== undefined) reasons.push(reason)
  }
  return partialSuccess(reasons)
}

function checkTime(verdict: SpanVerdict, field: string, time: bigint): void {
  if (time >= TIME_LIMIT) verdict.blameTime(field)
  if (time < 0n) verdict.blameTime(field, 'before the year 1970')
}

/** Returns the partial success for rejected spans, with one reason each; undefined without rejected spans. */
export function partialSuccess(reasons: readonly string[]): PartialSuccess | undefined {
  if (reasons.length === 0) return undefined
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const errorMessage = [...counts]
    .map(([reason, count]) => `${count} ${count === 1 ? 'span' : 'spans'} refused: ${reason}.`)
    .join(' ')
  return { rejectedSpans: reasons.length, errorMessage }
}
