import { isoOf, type TreeSpan } from '../mapping/index.js'

/**
 * A span as the HTTP interface writes it, its snapshots folded into it, and the segments of a resumed plan into one.
 */
export interface SpanJson {
  spanId: string
  /** '' on a root span. */
  parentSpanId: string
  name: string
  kind: string
  serviceName: string
  /** ISO 8601 in UTC, up to nanoseconds. */
  startTime: string
  endTime: string
  durationMs: number
  /** Only snapshots of it are stored: it has not ended, or its end was lost. */
  pending: boolean
  /** Where the plan, agent, cycle, call or wait stands that it is of; null for a span of foreign instrumentation. */
  state: string | null
  statusCode: string
  statusMessage: string
  /** Every value as the text that the store holds. */
  attributes: Readonly<Record<string, string>>
}

/** A span without its events and links. */
export function toSpanJson(span: TreeSpan): SpanJson {
  const { spanId, parentSpanId, name, kind, serviceName, pending, statusCode, statusMessage, attributes } = span
  return {
    spanId,
    parentSpanId,
    name,
    kind,
    serviceName,
    startTime: isoOf(span.startTimeUnixNano),
    endTime: isoOf(span.endTimeUnixNano),
    durationMs: Number(span.endTimeUnixNano - span.startTimeUnixNano) / 1e6,
    pending,
    state: span.state ?? null,
    statusCode,
    statusMessage,
    attributes,
  }
}
