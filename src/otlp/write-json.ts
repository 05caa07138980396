import { ATTR, dayOf, SCHEMA_URL, SCOPE_NAME, type Span } from '../semconv/index.js'
import { PLANSPAN_VERSION } from '../base/version.js'
import { MAX_DAYS, type StoreRequest } from './request.js'
import { attributesJson, spanJson, storedValue, typedValue, type WriteValue } from './span-json.js'

/** An OTLP/JSON trace request. */
export interface OtlpRequest {
  readonly text: string
  /** The number of spans. */
  readonly spans: number
}

export interface OtlpRequestOptions {
  readonly serviceName: string
  /** The largest request, in bytes of UTF-8; a larger span is sent in a separate request. @default 4_000_000 */
  readonly maxBytes?: number | undefined
  /** The most days on which the spans of a request start. @default 100, the limit of planspan's receiver */
  readonly maxDays?: number | undefined
}

/** Writes spans as OTLP/JSON requests, lazily. */
export const otlpRequests = (spans: Iterable<Span>, options: OtlpRequestOptions): Generator<OtlpRequest> =>
  requestsOf(spans, typedValue, options)

/** Writes spans as requests for the store, as `receive` returns them. `refusedSpans` must have rejected no span. */
export function* storeRequests(spans: Iterable<Span>, options: OtlpRequestOptions): Generator<StoreRequest> {
  for (const { text, spans: count } of requestsOf(spans, storedValue, options)) {
    yield { encoding: 'json', body: Buffer.from(text), spans: count }
  }
}

function* requestsOf(
  spans: Iterable<Span>,
  writeValue: WriteValue,
  { serviceName, maxBytes = 4_000_000, maxDays = MAX_DAYS }: OtlpRequestOptions,
): Generator<OtlpRequest> {
  const [head, tail] = requestFrame(serviceName, writeValue)
  const frameBytes = Buffer.byteLength(head + tail)
  const request = (part: readonly string[]): OtlpRequest => ({ text: head + part.join(',') + tail, spans: part.length })
  let part: string[] = []
  let bytes = frameBytes
  const days = new Set<number>()
  for (const span of spans) {
    const text = spanJson(span, writeValue)
    const added = Buffer.byteLength(text) + 1
    const day = dayOf(span.startTimeUnixNano)
    if (part.length > 0 && (bytes + added > maxBytes || (days.size >= maxDays && !days.has(day)))) {
      yield request(part)
      part = []
      bytes = frameBytes
      days.clear()
    }
    part.push(text)
    bytes += added
    days.add(day)
  }
  if (part.length > 0) yield request(part)
}

/** Returns the text before and after the comma-separated spans of a request. */
function requestFrame(serviceName: string, writeValue: WriteValue): [head: string, tail: string] {
  const resource = JSON.stringify({ attributes: attributesJson({ [ATTR.serviceName]: serviceName }, writeValue) })
  const scope = JSON.stringify({ name: SCOPE_NAME, version: PLANSPAN_VERSION })
  const scopeSpans = `{"scope":${scope},"schemaUrl":${JSON.stringify(SCHEMA_URL)},"spans":[`
  return [`{"resourceSpans":[{"resource":${resource},"scopeSpans":[${scopeSpans}`, ']}]}]}']
}
