import { toWellFormed, type AttributeValue, type Span, type SpanEvent, type SpanLink } from '../semconv/index.js'
import { attributeText } from './attribute-text.js'
import { SpanKind, StatusCode } from './trace_pb.js'

/** Writes an attribute's value as an AnyValue. */
export type WriteValue = (value: AttributeValue) => object

const SAMPLED = 1

/** Returns a span as OTLP/JSON text: ids in hex, 64-bit integers as strings, no lone surrogates. */
export function spanJson(span: Span, writeValue: WriteValue): string {
  const json = {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== '' && { parentSpanId: span.parentSpanId }),
    flags: SAMPLED,
    name: span.name,
    kind: SpanKind[span.kind],
    startTimeUnixNano: String(span.startTimeUnixNano),
    endTimeUnixNano: String(span.endTimeUnixNano),
    attributes: attributesJson(span.attributes, writeValue),
    ...(span.events.length > 0 && { events: span.events.map((event) => eventJson(event, writeValue)) }),
    ...(span.links.length > 0 && { links: span.links.map((link) => linkJson(link, writeValue)) }),
    status: {
      code: StatusCode[span.statusCode],
      ...(span.statusMessage !== '' && { message: span.statusMessage }),
    },
  }
  const text = JSON.stringify(json)
  // Above ASCII, JSON.stringify escapes only lone surrogates, which ClickHouse does not accept.
  return text.includes(String.raw`\ud`) ? JSON.stringify(json, (_, value: unknown) => wellFormed(value)) : text
}

const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? toWellFormed(value) : value)

const eventJson = ({ timeUnixNano, name, attributes }: SpanEvent, writeValue: WriteValue) => ({
  timeUnixNano: String(timeUnixNano),
  name,
  attributes: attributesJson(attributes, writeValue),
})

const linkJson = ({ traceId, spanId, attributes }: SpanLink, writeValue: WriteValue) => ({
  traceId,
  spanId,
  attributes: attributesJson(attributes, writeValue),
})

export const attributesJson = (attributes: Readonly<Record<string, AttributeValue>>, writeValue: WriteValue) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: writeValue(value) }))

/** Returns a value as an AnyValue of its type, for any receiver. */
export function typedValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return typedNumber(value)
  return { arrayValue: { values: value.map(typedValue) } }
}

// NaN and infinities are text, as in protobuf's JSON mapping; -0 and large integers stay doubles.
function typedNumber(value: number): object {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return { intValue: String(value) }
  if (Object.is(value, -0)) return { doubleValue: '-0' }
  return { doubleValue: Number.isFinite(value) ? value : String(value) }
}

/** Returns a value as an AnyValue of text, for planspan's own store, which keeps text only. */
export const storedValue = (value: AttributeValue): object => ({ stringValue: attributeText(value) })
