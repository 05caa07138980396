import { isoOf, type TreeSpan } from '../../mapping/index.js'
import type { SpanJson } from '../../wire/index.js'

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
