import { ATTR, PENDING, type StoredSpan } from '../semconv/index.js'

/** One span after folding: `pending` when only snapshots of it are stored. */
export interface FoldedSpan extends StoredSpan {
  readonly pending: boolean
}

/**
 * Many stored rows of a span (its snapshots, copies that were sent again) → one span: the final one if there is one,
 * else the highest snapshot under the real span's id and parent. In order of start, then span id.
 */
export function foldSpans(rows: Iterable<StoredSpan>): FoldedSpan[] {
  const finals = new Map<string, StoredSpan>()
  const snapshots = new Map<string, StoredSpan>()
  for (const row of rows) {
    const isSnapshot = row.attributes[ATTR.spanState] === PENDING
    const best = isSnapshot ? snapshots : finals
    const spanId = isSnapshot ? pendingIdOf(row) : row.spanId
    const other = best.get(spanId)
    if (!other || isNewer(row, other)) best.set(spanId, row)
  }
  const folded: FoldedSpan[] = []
  for (const row of finals.values()) folded.push({ ...row, pending: false })
  for (const [spanId, row] of snapshots) {
    if (finals.has(spanId)) continue
    const parentSpanId = row.attributes[ATTR.pendingParentSpanId] ?? ''
    folded.push({ ...row, spanId, parentSpanId, pending: true })
  }
  return folded.sort(byStart)
}

/** A snapshot hangs below the span that it is of; one that names none and has no parent stands for itself. */
const pendingIdOf = (row: StoredSpan): string => row.attributes[ATTR.pendingSpanId] || row.parentSpanId || row.spanId

/**
 * Of the rows of a span the highest snapshot, then the latest end; the rest only keeps the choice the same in any
 * order.
 */
function isNewer(row: StoredSpan, other: StoredSpan): boolean {
  const difference = snapshotSeq(row) - snapshotSeq(other)
  if (difference !== 0) return difference > 0
  if (row.endTimeUnixNano !== other.endTimeUnixNano) return row.endTimeUnixNano > other.endTimeUnixNano
  return row.spanId > other.spanId
}

/** A snapshot's place among those of its span, from 0. */
export function snapshotSeq({ attributes }: StoredSpan): number {
  const seq = Number(attributes[ATTR.snapshotSeq] ?? 0)
  return Number.isSafeInteger(seq) ? seq : 0
}

export function byStart(a: StoredSpan, b: StoredSpan): number {
  if (a.startTimeUnixNano !== b.startTimeUnixNano) return a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1
  return a.spanId < b.spanId ? -1 : a.spanId > b.spanId ? 1 : 0
}
