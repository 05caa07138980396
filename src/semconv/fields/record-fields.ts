import { boolean, int, json, text, textList } from '../field.js'

/** The root span of an imported record: identifies the record. */
export const recordFields = {
  dialect: text('planspan.record.dialect', 'The record format that the record was imported from.', {
    structural: true,
    stored: 'RecordDialect',
    fewValues: true,
  }),
  era: text('planspan.record.era', 'The generation of that format.', { structural: true }),
  origin: text(
    'planspan.record.origin',
    'On a record that planspan wrote: the record format that its plan had been imported from, if any.',
    { structural: true },
  ),
  source: text('planspan.record.source', 'The value of `--source`.', { structural: true }),
  key: text('planspan.record.key', 'The record’s name, the same in all its generations.', { structural: true }),
  digest: text('planspan.record.digest', 'SHA-256 of the record’s exact bytes, hex.', { structural: true }),
  spanCount: int('planspan.record.span_count', 'The number of spans of the record.'),
  timeZone: text('planspan.time.zone', 'The zone in which zone-less times were read.', { structural: true }),
} as const

/** Attributes for planspan's own use, besides the fields of a record. */
export const bookkeepingFields = {
  residual: json(
    'planspan.residual',
    'The deviations from the canonical form of the record’s era; absent without deviations.',
  ),
  begun: text(
    'planspan.segment.begun',
    'On an imported span that was resumed: when its latest segment began, Unix nanoseconds.',
    { structural: true },
  ),
  children: int('planspan.children.', 'The number of children of the role. It reveals missing spans.', {
    name: 'childrenPrefix',
    latestOnly: true,
  }),
  linkType: text(
    'planspan.link.type',
    'On a link: `guards` leads from a tool call to a guardrail that judged it, `resumed_from` from a later segment of a plan, or of a wait, to the earlier one.',
    { structural: true },
  ),
  spanState: text('planspan.span.state', '`pending` on a snapshot of a span that is open; see plans-in-flight.md.', {
    structural: true,
    latestOnly: true,
    stored: 'SpanState',
    fewValues: true,
  }),
  pendingSpanId: text('planspan.pending.span_id', 'On a snapshot: the span that it shows.', {
    structural: true,
    latestOnly: true,
    stored: 'PendingSpanId',
  }),
  pendingParentSpanId: text(
    'planspan.pending.parent_span_id',
    'On a snapshot: the parent of that span; empty for a root span.',
    { structural: true, latestOnly: true, stored: 'PendingParentSpanId' },
  ),
  snapshotSeq: int('planspan.snapshot.seq', 'On a snapshot: which one of its span it is, from 0.', {
    latestOnly: true,
  }),
  logEvent: text(
    'planspan.log_event',
    '`true` on a row that carries a log record, as an event of the span above it; see http.md.',
    { structural: true, latestOnly: true },
  ),
  heartbeatIntervalMs: int(
    'planspan.heartbeat.interval_ms',
    'On a plan: the silence after which it counts as interrupted, milliseconds.',
    { latestOnly: true },
  ),
} as const

/** Facts about a span that was adopted from another instrumentation. Added when a trace is read, never stored. */
export const adoptedFields = {
  convention: text('planspan.adopted.convention', 'The convention of the instrumentation that sent the span.', {
    structural: true,
  }),
  madeUp: boolean('planspan.adopted.made_up', 'True for a span that was not sent, but derived from others.'),
  fromMessages: textList(
    'planspan.adopted.from_messages',
    'On a tool call: what was read from the messages of models, because no span reports it: `call`, `arguments`, `result`.',
    { structural: true },
  ),
  logged: text(
    'planspan.adopted.logged',
    'What a log record of a coding agent stands for, since the agent sent no span: `agent`, `llm`, `tool` or `wait`.',
    { structural: true },
  ),
  gap: text('planspan.adopted.gap', 'What is missing or was not understood, in words.', { structural: true }),
} as const

/** The resource of a span. */
export const resourceFields = {
  serviceName: text('service.name', 'The service that ran it.'),
} as const
