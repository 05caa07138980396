import type { PendingSpanOptions } from './pending/pending-span-processor.js'
import type { RedactOptions } from '../redaction/index.js'

/**
 * Where register() sends spans, and what it sends. What is left out is read from the environment, where OpenTelemetry
 * names a variable for it.
 */
export interface RegisterOptions {
  /** Base URL of the OTLP/HTTP receiver. @default OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318 */
  endpoint?: string | undefined
  /** Full URL for traces. @default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, else the endpoint and `/v1/traces` */
  url?: string | undefined
  /** An access token of the receiver, sent as `authorization: Bearer …`. It stands above a header of that name. */
  token?: string | undefined
  /** Headers of every request, added to those of OTEL_EXPORTER_OTLP_HEADERS. */
  headers?: Readonly<Record<string, string>> | undefined
  /** @default OTEL_SERVICE_NAME, else the SDK's `unknown_service:node` */
  serviceName?: string | undefined
  /** The masking of secrets; false leaves every value as it is. @default the built-in patterns */
  redact?: RedactOptions | false | undefined
  /** Whether content is captured. @default OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, else true */
  captureContent?: boolean | undefined
  /** The largest OTLP request, bytes before compression. @default 4_000_000 */
  maxRequestBytes?: number | undefined
  /** The largest number of spans that wait for their export. @default OTEL_BSP_MAX_QUEUE_SIZE, else 65_536 */
  maxQueueSize?: number | undefined
  /** The maximum delay before a span is exported, milliseconds. @default OTEL_BSP_SCHEDULE_DELAY, else 250 */
  scheduledDelayMillis?: number | undefined
  /** The snapshots that show plans while they run; false exports spans only at their end. @default on */
  snapshots?: PendingSpanOptions | false | undefined
  /** The maximum time that a flush delays SIGTERM and SIGINT, milliseconds. @default 5_000 */
  exitFlushMillis?: number | undefined
}
