import { boolean, int, json, text } from '../field.js'

/** The root span of an imported record: which record it is. */
export const recordFields = {
  dialect: text('planspan.record.dialect', 'The record format that the record was imported from.', {
    structural: true,
    stored: 'RecordDialect',
    fewValues: true,
  }),
  era: text('planspan.record.era', 'The generation of that format.', { structural: true }),
  source: text('planspan.record.source', 'What `--source` said.', { structural: true }),
  key: text('planspan.record.key', 'What names the record across its generations.', { structural: true }),
  digest: text('planspan.record.digest', 'SHA-256 of the record’s exact bytes, hex.', { structural: true }),
  spanCount: int('planspan.record.span_count', 'How many spans the record is.'),
  timeZone: text('planspan.time.zone', 'The zone in which zone-less times were read.', { structural: true }),
} as const

/** Attributes that planspan needs for itself, beside the fields of a record. */
export const bookkeepingFields = {
  residual: json(
    'planspan.residual',
    'What deviates from the canonical writing of the record’s era; absent when nothing does.',
  ),
  children: int('planspan.children.', 'How many children of the role the span has: tells when spans are missing.', {
    name: 'childrenPrefix',
    standing: true,
  }),
  linkType: text(
    'planspan.link.type',
    'On a link: `guards` leads from a tool call to a guardrail that judged it, `resumed_from` from a later segment of a plan, or of a wait, to the earlier one.',
    { structural: true },
  ),
  spanState: text('planspan.span.state', '`pending` on a snapshot of a span that is open; see plans-in-flight.md.', {
    structural: true,
    standing: true,
    stored: 'SpanState',
    fewValues: true,
  }),
  pendingSpanId: text('planspan.pending.span_id', 'On a snapshot: the span that it shows.', {
    structural: true,
    standing: true,
    stored: 'PendingSpanId',
  }),
  pendingParentSpanId: text(
    'planspan.pending.parent_span_id',
    'On a snapshot: the parent of that span; empty when there is none.',
    { structural: true, standing: true, stored: 'PendingParentSpanId' },
  ),
  snapshotSeq: int('planspan.snapshot.seq', 'On a snapshot: which one of its span it is, from 0.', {
    standing: true,
  }),
  heartbeatIntervalMs: int(
    'planspan.heartbeat.interval_ms',
    'On a plan: after how long a silence its process is taken for dead, milliseconds.',
    { standing: true },
  ),
} as const

/** What is said of a span that was read from another instrumentation's: told when a trace is read, never stored. */
export const adoptedFields = {
  convention: text('planspan.adopted.convention', 'The convention of the instrumentation that sent the span.', {
    structural: true,
  }),
  madeUp: boolean('planspan.adopted.made_up', 'True for a span that nobody sent, made up over those that were.'),
  gap: text('planspan.adopted.gap', 'What is missing or was not understood, in words.', { structural: true }),
} as const

/** The resource that a span comes from. */
export const resourceFields = {
  serviceName: text('service.name', 'The service that ran it.'),
} as const
