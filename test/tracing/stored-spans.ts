import { SpanKind, SpanStatusCode, type Attributes, type HrTime } from '@opentelemetry/api'
import type { AttributeValue, StoredSpan } from '../../src/semconv/index.js'
import { toStoredSpan } from '../../src/mapping/index.js'
import type { SpanLike } from '../../src/tracing/index.js'

const nanos = ([seconds, rest]: HrTime): bigint => BigInt(seconds) * 1_000_000_000n + BigInt(rest)
const attributesOf = (attributes: Attributes = {}) => attributes as Record<string, AttributeValue>

/** The rows that the store would return for spans of the SDK. */
export const storedSpans = (spans: readonly SpanLike[]): StoredSpan[] =>
  spans.map((span) =>
    toStoredSpan({
      traceId: span.spanContext().traceId,
      spanId: span.spanContext().spanId,
      parentSpanId: span.parentSpanContext?.spanId ?? '',
      name: span.name,
      kind: span.kind === SpanKind.CLIENT ? 'CLIENT' : 'INTERNAL',
      startTimeUnixNano: nanos(span.startTime),
      endTimeUnixNano: nanos(span.endTime),
      statusCode: SpanStatusCode[span.status.code] as 'UNSET' | 'ERROR',
      statusMessage: span.status.message ?? '',
      attributes: attributesOf(span.attributes),
      events: span.events.map((event) => ({
        timeUnixNano: nanos(event.time),
        name: event.name,
        attributes: attributesOf(event.attributes),
      })),
      links: span.links.map((link) => ({
        traceId: link.context.traceId,
        spanId: link.context.spanId,
        attributes: attributesOf(link.attributes),
      })),
    }),
  )
