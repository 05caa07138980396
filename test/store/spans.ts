import type { ClickHouseClient } from '@clickhouse/client'

import { ATTR, PENDING, type StoredSpan } from '../../src/semconv/index.js'

/** A span in the notation of tests; times are milliseconds after the test's own noon. */
export interface TestSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name?: string
  start?: number
  /** Milliseconds; below 0 the span ends before it starts. */
  duration?: number
  service?: string
  scope?: string
  statusMessage?: string
  status?: 'Unset' | 'Ok' | 'Error'
  attributes?: Readonly<Record<string, string>>
  events?: StoredSpan['events']
  links?: StoredSpan['links']
}

export const NOON = Date.UTC(2026, 2, 4, 12)
export const nanos = (milliseconds: number): bigint => BigInt(NOON + milliseconds) * 1_000_000n

/** A time in milliseconds since the Unix epoch, as ClickHouse reads it. */
const dateTime = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, -1).replace('T', ' ')

/** Inserts spans as one block, as a collector would write them. */
export async function insertSpans(client: ClickHouseClient, database: string, spans: TestSpan[]): Promise<void> {
  await client.insert({
    table: `${database}.otel_traces`,
    values: spans.map((span) => ({
      Timestamp: dateTime(NOON + (span.start ?? 0)),
      TraceId: span.traceId,
      SpanId: span.spanId,
      ParentSpanId: span.parentSpanId ?? '',
      TraceState: '',
      SpanName: span.name ?? 'span',
      SpanKind: 'Internal',
      ServiceName: span.service ?? 'shop',
      ResourceAttributes: { 'service.name': span.service ?? 'shop' },
      ScopeName: span.scope ?? 'planspan',
      ScopeVersion: '',
      SpanAttributes: span.attributes ?? {},
      Duration: String(BigInt.asUintN(64, BigInt(span.duration ?? 1) * 1_000_000n)),
      StatusCode: span.status ?? 'Unset',
      StatusMessage: span.statusMessage ?? '',
      'Events.Timestamp': span.events?.map(({ timeUnixNano }) => dateTime(Number(timeUnixNano / 1_000_000n))) ?? [],
      'Events.Name': span.events?.map(({ name }) => name) ?? [],
      'Events.Attributes': span.events?.map(({ attributes }) => attributes) ?? [],
      'Links.TraceId': span.links?.map(({ traceId }) => traceId) ?? [],
      'Links.SpanId': span.links?.map(({ spanId }) => spanId) ?? [],
      'Links.TraceState': span.links?.map(() => '') ?? [],
      'Links.Attributes': span.links?.map(({ attributes }) => attributes) ?? [],
    })),
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0, insert_deduplicate: 0, distributed_foreground_insert: 1 },
  })
}

const STATUS = { UNSET: 'Unset', OK: 'Ok', ERROR: 'Error' } as const

/** Inserts rows of the mapping. */
export const insertStoredSpans = (client: ClickHouseClient, database: string, spans: StoredSpan[]): Promise<void> =>
  insertSpans(
    client,
    database,
    spans.map((span) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId,
      name: span.name,
      start: Number(span.startTimeUnixNano / 1_000_000n) - NOON,
      duration: Number((span.endTimeUnixNano - span.startTimeUnixNano) / 1_000_000n),
      service: span.serviceName,
      scope: span.scopeName,
      statusMessage: span.statusMessage,
      events: span.events,
      status: STATUS[span.statusCode],
      attributes: span.attributes,
      links: span.links,
    })),
  )

export interface PlanSpanFields {
  planId: string
  rootPlanId?: string
  title?: string
  state?: string
  segment?: number
  /** The sequence number of a snapshot; a final span has none. */
  snapshot?: number
  heartbeatMs?: number
  redacted?: boolean
  version?: number
  record?: { dialect: string; key: string; source?: string; digest?: string; spans?: number }
}

/** The attributes of a plan's own span. */
export function planAttributes(fields: PlanSpanFields): Record<string, string> {
  const { planId, rootPlanId, title, state, segment, snapshot, heartbeatMs, redacted, version, record } = fields
  const attributes: Record<string, string | undefined> = {
    [ATTR.spanKind]: 'plan',
    [ATTR.planId]: planId,
    [ATTR.planRootId]: rootPlanId ?? planId,
    [ATTR.planTitle]: title,
    [ATTR.state]: state,
    [ATTR.planSegment]: segment?.toString(),
    [ATTR.spanState]: snapshot === undefined ? undefined : PENDING,
    [ATTR.snapshotSeq]: snapshot?.toString(),
    [ATTR.heartbeatIntervalMs]: heartbeatMs?.toString(),
    [ATTR.redactedFields]: redacted === true ? '["gen_ai.input.messages"]' : undefined,
    [ATTR.schemaVersion]: String(version ?? 1),
    [ATTR.recordDialect]: record?.dialect,
    [ATTR.recordKey]: record?.key,
    [ATTR.recordSource]: record === undefined ? undefined : (record.source ?? ''),
    [ATTR.recordDigest]: record === undefined ? undefined : (record.digest ?? 'd'),
    [ATTR.recordSpanCount]: record?.spans?.toString(),
  }
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The attributes of a plan's span other than the plan's own span. */
export const agentAttributes = (
  planId: string,
  rootPlanId = planId,
  stepId = `step-${planId}`,
): Record<string, string> => ({
  [ATTR.spanKind]: 'agent',
  [ATTR.planId]: planId,
  [ATTR.planRootId]: rootPlanId,
  [ATTR.stepId]: stepId,
})
