import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { SpanBuffer } from './span-buffer.js'
import { byStart } from './span-order.js'

/** One span after folding: `pending` when only snapshots of it are stored. */
export interface FoldedSpan extends StoredSpan {
  readonly pending: boolean
}

/**
 * Folds the stored rows of each span (snapshots, resent copies) into one span: the final row if there is one, otherwise
 * the latest snapshot with the id and parent of the real span. Sorted by start, then span id.
 */
export function foldSpans(rows: Iterable<StoredSpan>): FoldedSpan[] {
  const buffer = rows instanceof SpanBuffer ? rows : bufferOf(rows)
  const folded: FoldedSpan[] = []
  for (const row of buffer.finals.values()) folded.push({ ...row, pending: false })
  for (const [spanId, row] of buffer.snapshots) {
    const parentSpanId = row.attributes[ATTR.pendingParentSpanId] ?? ''
    folded.push({ ...row, spanId, parentSpanId, pending: true })
  }
  return folded.sort(byStart)
}

function bufferOf(rows: Iterable<StoredSpan>): SpanBuffer {
  const buffer = new SpanBuffer()
  for (const row of rows) buffer.add(row)
  return buffer
}
