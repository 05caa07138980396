import type { Attributes, Context, HrTime, Link, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api'

/** An ended span as any SDK passes it to a processor or an exporter. */
export interface SpanLike {
  readonly name: string
  readonly kind: SpanKind
  spanContext(): SpanContext
  readonly parentSpanContext?: SpanContext
  readonly startTime: HrTime
  readonly endTime: HrTime
  readonly status: SpanStatus
  readonly attributes: Attributes
  readonly links: Link[]
  readonly events: TimedEventLike[]
  readonly resource: ResourceLike
  readonly instrumentationScope: { readonly name: string; readonly version?: string; readonly schemaUrl?: string }
  readonly droppedAttributesCount: number
  readonly droppedEventsCount: number
  readonly droppedLinksCount: number
}

/** A started span as any SDK passes it to a processor. */
export interface StartedSpanLike extends SpanLike {
  setAttributes(attributes: Attributes): unknown
}

/** An event of a span. */
export interface TimedEventLike {
  readonly time: HrTime
  readonly name: string
  readonly attributes?: Attributes
}

/** The entity that produced a span. */
export interface ResourceLike {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly asyncAttributesPending?: boolean
}

/** A span processor of any SDK. */
export interface SpanProcessorLike {
  onStart(span: StartedSpanLike, parentContext: Context): void
  onEnding?(span: StartedSpanLike): void
  onEnd(span: SpanLike): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/** An exporter's result: code 0 is success. */
export interface ExportResultLike {
  readonly code: number
  readonly error?: Error
}

/** A span exporter of any SDK. */
export interface SpanExporterLike {
  export(spans: SpanLike[], resultCallback: (result: ExportResultLike) => void): void
  shutdown(): Promise<void>
  forceFlush?(): Promise<void>
}
