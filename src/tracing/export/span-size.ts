import type { Attributes } from '@opentelemetry/api'
import type { SpanLike } from '../sdk-types.js'

// The keys, braces, ids, times and counts around the values in OTLP/JSON, the larger of the two encodings.
const SPAN = 640
const EVENT = 160
const LINK = 256
const ATTRIBUTE = 64
const NUMBER = 32

// The same for each occurrence of a resource and its scope.
const ENVELOPE_BYTES = 512

/** An upper bound for the bytes of a span in an OTLP request, JSON or protobuf, without its resource. */
export function spanBytes(span: SpanLike): number {
  let bytes = SPAN + textBytes(span.name) + attributesBytes(span.attributes) + textBytes(span.status.message ?? '')
  bytes += textBytes(span.spanContext().traceState?.serialize() ?? '')
  for (const event of span.events) bytes += EVENT + textBytes(event.name) + attributesBytes(event.attributes)
  for (const link of span.links) {
    bytes += LINK + attributesBytes(link.attributes) + textBytes(link.context.traceState?.serialize() ?? '')
  }
  return bytes
}

/** An upper bound for the bytes of a span's resource and scope in a request. */
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

/** The bytes of a text as JSON in UTF-8; for a short text, an upper bound, which is cheaper. */
function textBytes(text: string): number {
  return text.length <= SHORT ? text.length * 6 : Buffer.byteLength(JSON.stringify(text))
}
