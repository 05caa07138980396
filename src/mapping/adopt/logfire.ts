/**
 * Logfire's span attributes for logs and snapshots. A snapshot is sent as a child of the open span, and names that
 * span's parent in an attribute: zeros if there is no parent.
 */
export const LOGFIRE = {
  type: 'logfire.span_type',
  log: 'log',
  pending: 'pending_span',
  parent: 'logfire.pending_parent_id',
  noParent: '0'.repeat(16),
} as const
