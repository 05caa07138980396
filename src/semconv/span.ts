/** An attribute value of OTLP, without null and without maps. */
export type AttributeValue = string | number | boolean | readonly string[]

/** The kinds of spans: CLIENT for model calls. */
export type SpanKind = 'INTERNAL' | 'CLIENT'

/** The status of a span in OpenTelemetry. */
export type StatusCode = 'UNSET' | 'OK' | 'ERROR'

/** An event at a time within a span. */
export interface SpanEvent<Value = AttributeValue> {
  readonly timeUnixNano: bigint
  readonly name: string
  readonly attributes: Readonly<Record<string, Value>>
}

/** A reference to another span. */
export interface SpanLink<Value = AttributeValue> {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Readonly<Record<string, Value>>
}

/**
 * A span. `traceId` has 32, `spanId` 16 lower-case hex digits. Times are Unix nanoseconds. `parentSpanId` is empty on a
 * root span.
 */
export interface Span<Value = AttributeValue> {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: SpanKind
  readonly startTimeUnixNano: bigint
  readonly endTimeUnixNano: bigint
  readonly statusCode: StatusCode
  readonly statusMessage: string
  readonly attributes: Readonly<Record<string, Value>>
  readonly events: readonly SpanEvent<Value>[]
  readonly links: readonly SpanLink<Value>[]
}

/** A span as the store returns it: each attribute value is text, as a stock collector writes it. */
export interface StoredSpan extends Omit<Span<string>, 'kind'> {
  /** `Internal`, `Client`, … as stored. Empty for a kind that the collector does not know. */
  readonly kind: string
  readonly serviceName: string
  readonly scopeName: string
  readonly resourceAttributes: Readonly<Record<string, string>>
}
