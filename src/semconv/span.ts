/** An attribute value of OTLP, without null and without maps. */
export type AttributeValue = string | number | boolean | readonly string[]

/** The kinds of spans: CLIENT for model calls. */
export type SpanKind = 'INTERNAL' | 'CLIENT'

/** The status of a span, as OpenTelemetry has it. */
export type StatusCode = 'UNSET' | 'OK' | 'ERROR'

/** Something that happened at a moment of a span. */
export interface SpanEvent<Value = AttributeValue> {
  readonly timeUnixNano: bigint
  readonly name: string
  readonly attributes: Readonly<Record<string, Value>>
}

/** Another span that a span refers to. */
export interface SpanLink<Value = AttributeValue> {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Readonly<Record<string, Value>>
}

/**
 * One span. `traceId` is 32, `spanId` 16 lower-case hex digits; times are nanoseconds since the Unix epoch;
 * `parentSpanId` is '' on a root span.
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

/** A span as the store gives it back: every attribute value has become text, as a stock collector writes it. */
export interface StoredSpan extends Omit<Span<string>, 'kind'> {
  /** `Internal`, `Client`, … as stored; '' for a kind that the collector does not know. */
  readonly kind: string
  readonly serviceName: string
  readonly scopeName: string
  readonly resourceAttributes: Readonly<Record<string, string>>
}
