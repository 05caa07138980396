import type { StoredSpan } from '../../../semconv/index.js'
import { hashId } from '../../tree/index.js'

/**
 * Gives the spans of several traces distinct ids: a span of a later trace whose id an earlier trace contains gets
 * another one, derived from both.
 */
export function withDistinctIds(rows: readonly StoredSpan[]): readonly StoredSpan[] {
  const begins = new Map<string, bigint>()
  for (const { traceId, startTimeUnixNano } of rows) {
    const begun = begins.get(traceId)
    if (begun === undefined || startTimeUnixNano < begun) begins.set(traceId, startTimeUnixNano)
  }
  if (begins.size < 2) return rows
  const inOrder = [...begins].sort(([a, begun], [b, other]) =>
    begun < other ? -1 : begun > other ? 1 : a < b ? -1 : 1,
  )
  const places = new Map(inOrder.map(([traceId], place) => [traceId, place]))
  const placeOf = ({ traceId }: StoredSpan): number => places.get(traceId) ?? 0
  const firstPlaces = new Map<string, number>()
  for (const row of rows) firstPlaces.set(row.spanId, Math.min(placeOf(row), firstPlaces.get(row.spanId) ?? Infinity))
  return rows.map((row) => {
    const idOf = (spanId: string): string =>
      (firstPlaces.get(spanId) ?? Infinity) < placeOf(row) ? hashId(`${row.traceId}/${spanId}`, 16) : spanId
    return { ...row, spanId: idOf(row.spanId), parentSpanId: row.parentSpanId && idOf(row.parentSpanId) }
  })
}
