import type { SpanNode } from '../../mapping/index.js'
import { endOf } from '../../mapping/index.js'
import type { StatusCode } from '../../semconv/index.js'

const STATUS: Readonly<Record<StatusCode, string>> = { OK: 'Ok', ERROR: 'Error', UNSET: 'Unset' }

/** The columns of a span that both `plan_rows` and `span_rows` have. */
export const spanColumns = ({ span, parent }: SpanNode) => ({
  Timestamp: span.startTimeUnixNano,
  TraceId: span.traceId,
  SpanId: span.spanId,
  ParentSpanId: parent?.span.spanId ?? span.parentSpanId,
  ServiceName: span.serviceName,
  Duration: endOf(span) - span.startTimeUnixNano,
  StatusCode: STATUS[span.statusCode],
  StatusMessage: span.statusMessage,
  SpanAttributes: span.attributes,
  Ended: !span.pending,
})
