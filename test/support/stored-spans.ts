import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { toStoredSpan } from '../../src/mapping/index.js'
import { type AttributeValue, type StoredSpan } from '../../src/semconv/index.js'

const nanos = ([seconds, rest]: readonly [number, number]): bigint => BigInt(seconds) * 1_000_000_000n + BigInt(rest)

const STATUS = ['UNSET', 'OK', 'ERROR'] as const

/** A span that the SDK exported, as the store would return it. */
export function storedSpan(span: ReadableSpan): StoredSpan {
  const { traceId, spanId } = span.spanContext()
  const attributes = (values: object = {}) => values as Record<string, AttributeValue>
  const row = toStoredSpan({
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? '',
    name: span.name,
    kind: span.kind === 2 ? 'CLIENT' : 'INTERNAL',
    startTimeUnixNano: nanos(span.startTime),
    endTimeUnixNano: nanos(span.endTime),
    statusCode: STATUS[span.status.code],
    statusMessage: span.status.message ?? '',
    attributes: attributes(span.attributes),
    events: span.events.map((event) => ({
      timeUnixNano: nanos(event.time),
      name: event.name,
      attributes: attributes(event.attributes),
    })),
    links: span.links.map((link) => ({ ...link.context, attributes: attributes(link.attributes) })),
  })
  return { ...row, scopeName: span.instrumentationScope.name }
}
