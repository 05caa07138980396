import type { SpanEvent, SpanLink, StatusCode, StoredSpan } from '../semconv/index.js'

type Attributes = Record<string, string>

/** A row of `queries/read_traces.sql`. Nanoseconds since the Unix epoch are decimal text. */
export interface SpanRow {
  SpanId: string
  ParentSpanId: string
  SpanName: string
  SpanKind: string
  ServiceName: string
  ScopeName: string
  Start: string
  End: string
  StatusCode: string
  StatusMessage: string
  ResourceAttributes: Attributes
  SpanAttributes: Attributes
  EventTimes: string[]
  EventNames: string[]
  EventAttributes: Attributes[]
  LinkTraceIds: string[]
  LinkSpanIds: string[]
  LinkAttributes: Attributes[]
}

const STATUS_CODES: Readonly<Record<string, StatusCode>> = { Ok: 'OK', Error: 'ERROR' }

/** Converts a row of the span table to a span. */
export function toStoredSpan(traceId: string, row: SpanRow): StoredSpan {
  return {
    traceId,
    spanId: row.SpanId,
    parentSpanId: row.ParentSpanId,
    name: row.SpanName,
    kind: row.SpanKind,
    startTimeUnixNano: BigInt(row.Start),
    endTimeUnixNano: BigInt(row.End),
    statusCode: STATUS_CODES[row.StatusCode] ?? 'UNSET',
    statusMessage: row.StatusMessage,
    attributes: row.SpanAttributes,
    events: row.EventTimes.map((time, i): SpanEvent<string> => ({
      timeUnixNano: BigInt(time),
      name: row.EventNames[i] ?? '',
      attributes: row.EventAttributes[i] ?? {},
    })),
    links: row.LinkTraceIds.map((linkedTraceId, i): SpanLink<string> => ({
      traceId: linkedTraceId,
      spanId: row.LinkSpanIds[i] ?? '',
      attributes: row.LinkAttributes[i] ?? {},
    })),
    serviceName: row.ServiceName,
    scopeName: row.ScopeName,
    resourceAttributes: row.ResourceAttributes,
  }
}
