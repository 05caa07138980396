import { ATTR, PENDING } from '../semconv/index.js'
import type { StoredSpan } from './span.js'

/** One span after folding: `pending` when only snapshots of it are stored. */
export interface FoldedSpan extends StoredSpan {
  readonly pending: boolean
}

/**
 * Many stored rows of a span (its snapshots, copies that were sent again) → one span: the final one if there is one,
 * else the highest snapshot under the real span's id and parent. In order of start, then span id.
 */
export function foldSpans(rows: Iterable<StoredSpan>): FoldedSpan[] {
  const finals = new Map<string, FoldedSpan>()
  const snapshots = new Map<string, FoldedSpan>()
  for (const row of rows) {
    const realId = row.attributes[ATTR.spanState] === PENDING ? row.attributes[ATTR.pendingSpanId] : undefined
    if (realId === undefined) {
      if (!finals.has(row.spanId)) finals.set(row.spanId, { ...row, pending: false })
    } else if (snapshotSeq(row) > snapshotSeq(snapshots.get(realId))) {
      const parentSpanId = row.attributes[ATTR.pendingParentSpanId] ?? ''
      snapshots.set(realId, { ...row, spanId: realId, parentSpanId, pending: true })
    }
  }
  const open = [...snapshots.values()].filter((span) => !finals.has(span.spanId))
  return [...finals.values(), ...open].sort(byStart)
}

const snapshotSeq = (span: StoredSpan | undefined): number =>
  span ? Number(span.attributes[ATTR.snapshotSeq] ?? 0) : Number.NEGATIVE_INFINITY

export function byStart(a: StoredSpan, b: StoredSpan): number {
  if (a.startTimeUnixNano !== b.startTimeUnixNano) return a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1
  return a.spanId < b.spanId ? -1 : a.spanId > b.spanId ? 1 : 0
}
