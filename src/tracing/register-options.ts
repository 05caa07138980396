import type { ExportOptions } from '../otel/index.js'
import type { PendingSpanOptions } from './pending/pending-span-processor.js'
import type { RedactOptions } from '../redaction/index.js'

/**
 * The receiver, the content and the limits of register(). Missing options are read from the environment if
 * OpenTelemetry defines a variable for them.
 */
export interface RegisterOptions extends ExportOptions {
  /** The masking of secrets; false leaves every value as it is. @default the built-in patterns */
  redact?: RedactOptions | false | undefined
  /** Whether content is captured. @default OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, else true */
  captureContent?: boolean | undefined
  /** The largest OTLP request, bytes before compression. @default 4_000_000 */
  maxRequestBytes?: number | undefined
  /** The snapshots that show plans while they run; false exports spans only at their end. @default on */
  snapshots?: PendingSpanOptions | false | undefined
  /** The maximum time that a flush delays SIGTERM and SIGINT, milliseconds. @default 5_000 */
  exitFlushMillis?: number | undefined
}
