/**
 * What Logfire's spans say of themselves: a log, or a snapshot of a span that has begun. A snapshot is sent as that
 * span's child, and tells the span's own parent in an attribute, as zeros where it has none.
 */
export const LOGFIRE = {
  type: 'logfire.span_type',
  log: 'log',
  pending: 'pending_span',
  parent: 'logfire.pending_parent_id',
  noParent: '0'.repeat(16),
} as const
