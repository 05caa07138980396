import { appendTo } from '../../base/append.js'
import { ATTR, type StoredSpan } from '../../semconv/index.js'
import { withLogEvents } from './log-events.js'
import { SpanBuffer } from './span-buffer.js'
import { byStart } from './span-order.js'

/** One span after folding: `pending` when only snapshots of it are stored. */
export interface FoldedSpan extends StoredSpan {
  readonly pending: boolean
}

/**
 * Folds the stored rows of each span (snapshots, resent copies) into one span: the final row if there is one, otherwise
 * the latest snapshot with the id and parent of the real span. Log records become events of their span; those of spans
 * that are not stored are left out. Sorted by start, then span id.
 */
export function foldSpans(rows: Iterable<StoredSpan>): FoldedSpan[] {
  const buffer = rows instanceof SpanBuffer ? rows : bufferOf(rows)
  const folded: FoldedSpan[] = []
  for (const row of buffer.finals.values()) folded.push({ ...row, pending: false })
  for (const [spanId, row] of buffer.snapshots) {
    const parentSpanId = row.attributes[ATTR.pendingParentSpanId] ?? ''
    folded.push({ ...row, spanId, parentSpanId, pending: true })
  }
  return withLogs(folded, buffer.logs).sort(byStart)
}

function withLogs(spans: FoldedSpan[], logs: ReadonlyMap<string, StoredSpan>): FoldedSpan[] {
  if (logs.size === 0) return spans
  const bySpan = new Map<string, StoredSpan[]>()
  for (const log of logs.values()) appendTo(bySpan, log.parentSpanId, log)
  return spans.map((span) => {
    const own = bySpan.get(span.spanId)
    return own ? withLogEvents(span, own) : span
  })
}

function bufferOf(rows: Iterable<StoredSpan>): SpanBuffer {
  const buffer = new SpanBuffer()
  for (const row of rows) buffer.add(row)
  return buffer
}
