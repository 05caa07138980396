import { isoOf, type TreeSpan } from '../mapping/index.js'

/** A span as the HTTP interface writes it, with its snapshots folded into it and a resumed plan's segments into one. */
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
  /** Whether only snapshots of it are stored: it has not ended, or its end was lost. */
  pending: boolean
  /** The state of the plan, agent, cycle, call or wait; null for a span of other instrumentation. */
  state: string | null
  statusCode: string
  statusMessage: string
  /** All values as text, as the store holds them; on a guardrail also whether its action was taken. */
  attributes: Readonly<Record<string, string>>
}

/** The answer of `GET /api/records/{planId}/spans`, in order of their start. */
export interface SpanList {
  spans: SpanJson[]
}

/** Converts a span to its JSON, which leaves out events and links. */
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
