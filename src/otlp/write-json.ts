import { ATTR, type AttributeValue, SCOPE_NAME, type Span, type SpanEvent, type SpanLink } from '../semconv/index.js'

/** An OTLP/JSON trace request. */
export interface OtlpRequest {
  readonly text: string
  /** How many spans it holds. */
  readonly spans: number
}

export interface OtlpRequestOptions {
  readonly serviceName: string
  /** The largest request, bytes in UTF-8; a span that is larger goes alone. @default 4_000_000 */
  readonly maxBytes?: number | undefined
}

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
const KIND = { INTERNAL: 1, CLIENT: 3 } as const
const STATUS_CODE = { UNSET: 0, OK: 1, ERROR: 2 } as const
const SAMPLED = 1

/** Spans as OTLP/JSON requests, made one after the other as they are asked for. */
export function* otlpRequests(
  spans: Iterable<Span>,
  { serviceName, maxBytes = 4_000_000 }: OtlpRequestOptions,
): Generator<OtlpRequest> {
  const [head, tail] = requestFrame(serviceName)
  const frameBytes = Buffer.byteLength(head + tail)
  const request = (part: readonly string[]): OtlpRequest => ({ text: head + part.join(',') + tail, spans: part.length })
  let part: string[] = []
  let bytes = frameBytes
  for (const span of spans) {
    const text = spanJson(span)
    const added = Buffer.byteLength(text) + 1
    if (part.length > 0 && bytes + added > maxBytes) {
      yield request(part)
      part = []
      bytes = frameBytes
    }
    part.push(text)
    bytes += added
  }
  if (part.length > 0) yield request(part)
}

/** What stands before and after the spans of a request, which are joined by commas. */
function requestFrame(serviceName: string): [head: string, tail: string] {
  const resource = JSON.stringify({ attributes: attributesJson({ [ATTR.serviceName]: serviceName }) })
  const scope = JSON.stringify({ name: SCOPE_NAME })
  return [`{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${scope},"spans":[`, ']}]}]}']
}

/** One span as OTLP/JSON text: ids in hex, 64-bit integers as strings. */
const spanJson = (span: Span): string =>
  JSON.stringify({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== '' && { parentSpanId: span.parentSpanId }),
    flags: SAMPLED,
    name: span.name,
    kind: KIND[span.kind],
    startTimeUnixNano: String(span.startTimeUnixNano),
    endTimeUnixNano: String(span.endTimeUnixNano),
    attributes: attributesJson(span.attributes),
    ...(span.events.length > 0 && { events: span.events.map(eventJson) }),
    ...(span.links.length > 0 && { links: span.links.map(linkJson) }),
    status: {
      code: STATUS_CODE[span.statusCode],
      ...(span.statusMessage !== '' && { message: span.statusMessage }),
    },
  })

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
