import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { AttributeValue, Span, SpanEvent, SpanLink } from '../../mapping/span.js'

// OTLP's kinds are the API's plus one, since 0 stands for unspecified there.
const KINDS = { INTERNAL: SpanKind.INTERNAL + 1, CLIENT: SpanKind.CLIENT + 1 } as const
const SAMPLED = 1

/** One span as OTLP/JSON text: ids in hex, 64-bit integers as strings. */
export const spanJson = (span: Span): string =>
  JSON.stringify({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== '' && { parentSpanId: span.parentSpanId }),
    flags: SAMPLED,
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: String(span.startTimeUnixNano),
    endTimeUnixNano: String(span.endTimeUnixNano),
    attributes: attributesJson(span.attributes),
    ...(span.events.length > 0 && { events: span.events.map(eventJson) }),
    ...(span.links.length > 0 && { links: span.links.map(linkJson) }),
    status: {
      code: SpanStatusCode[span.statusCode],
      ...(span.statusMessage !== '' && { message: span.statusMessage }),
    },
  })

/** What stands before and after the spans of a request, which are joined by commas. */
export function requestFrame(
  serviceName: { key: string; name: string },
  scopeName: string,
): [head: string, tail: string] {
  const resource = JSON.stringify({ attributes: attributesJson({ [serviceName.key]: serviceName.name }) })
  const scope = JSON.stringify({ name: scopeName })
  return [`{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${scope},"spans":[`, ']}]}]}']
}

const eventJson = ({ timeUnixNano, name, attributes }: SpanEvent) => ({
  timeUnixNano: String(timeUnixNano),
  name,
  attributes: attributesJson(attributes),
})

const linkJson = ({ traceId, spanId, attributes }: SpanLink) => ({
  traceId,
  spanId,
  attributes: attributesJson(attributes),
})

const attributesJson = (attributes: Readonly<Record<string, AttributeValue>>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return numberValue(value)
  return { arrayValue: { values: value.map(anyValue) } }
}

// What JSON has no number for travels as protobuf's JSON mapping writes it; -0 and large integers keep being doubles.
function numberValue(value: number): object {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return { intValue: String(value) }
  if (Object.is(value, -0)) return { doubleValue: '-0' }
  return { doubleValue: Number.isFinite(value) ? value : String(value) }
}
