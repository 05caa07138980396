import type { Attributes } from '@opentelemetry/api'
import type { SpanLike } from '../sdk-types.js'

// Keys, braces, ids, times and counts that stand around the values in OTLP/JSON, the larger of the two encodings.
const SPAN = 640
const EVENT = 160
const LINK = 256
const ATTRIBUTE = 64
const NUMBER = 32

// Of a resource and its scope, once for each time they are repeated.
const ENVELOPE_BYTES = 512

/** At most how many bytes a span takes in an OTLP request, as JSON or protobuf, without its resource. */
export function spanBytes(span: SpanLike): number {
  let bytes = SPAN + textBytes(span.name) + attributesBytes(span.attributes) + textBytes(span.status.message ?? '')
  bytes += textBytes(span.spanContext().traceState?.serialize() ?? '')
  for (const event of span.events) bytes += EVENT + textBytes(event.name) + attributesBytes(event.attributes)
  for (const link of span.links) {
    bytes += LINK + attributesBytes(link.attributes) + textBytes(link.context.traceState?.serialize() ?? '')
  }
  return bytes
}

/** At most how many bytes a span's resource and scope take in a request. */
export const envelopeBytes = ({ resource, instrumentationScope: { name, version, schemaUrl } }: SpanLike): number =>
  ENVELOPE_BYTES +
  attributesBytes(resource.attributes) +
  textBytes(name) +
  textBytes(version ?? '') +
  textBytes(schemaUrl ?? '')

function attributesBytes(attributes: Attributes | Readonly<Record<string, unknown>> | undefined): number {
  let bytes = 0
  for (const key in attributes) bytes += ATTRIBUTE + textBytes(key) + valueBytes(attributes[key])
  return bytes
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value)
  if (value instanceof Uint8Array) return NUMBER + 2 * value.length
  if (Array.isArray(value)) return value.reduce<number>((bytes, item) => bytes + NUMBER + valueBytes(item), NUMBER)
  if (typeof value === 'object' && value !== null) return attributesBytes(value as Record<string, unknown>)
  return NUMBER
}

const SHORT = 1_024

/** The bytes of a text as JSON in UTF-8; for a short one an upper bound, which is cheaper. */
function textBytes(text: string): number {
  return text.length <= SHORT ? text.length * 6 : Buffer.byteLength(JSON.stringify(text))
}
