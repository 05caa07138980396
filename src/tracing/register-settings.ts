import {
  type Environment,
  type ExportSettings,
  exportSettings,
  isBoolean,
  isDelay,
  isGiven,
  isPeriod,
  isSize,
  Settings,
  type ExportOptions,
} from '../otel/index.js'
import type { PendingSpanOptions } from './pending/pending-span-processor.js'
import type { RedactOptions } from '../redaction/index.js'

/** The options and the environment combined, without invalid values; other parts apply their own defaults. */
export interface RegisterSettings extends ExportSettings {
  readonly redact: RegisterOptions['redact']
  readonly captureContent: boolean | undefined
  readonly maxRequestBytes: number | undefined
  readonly snapshots: PendingSpanOptions | false
  readonly exitFlushMillis: number
  /** Warnings about invalid values, which are ignored. */
  readonly complaints: readonly string[]
}

/** Resolves the options of register(). Throws `usage` if spans could not be sent with them. */
export function resolveSettings(options: RegisterOptions, env: Environment): RegisterSettings {
  const settings = new Settings()
  const { captureContent, maxRequestBytes, exitFlushMillis } = options
  const snapshots = options.snapshots === false ? undefined : options.snapshots
  return {
    ...exportSettings(options, env, settings),
    redact: options.redact,
    // An invalid value turns capture off, which reveals nothing.
    captureContent: settings.firstFit(isBoolean, { captureContent }) ?? (isGiven(captureContent) ? false : undefined),
    maxRequestBytes: settings.firstFit(isSize, { maxRequestBytes }),
    snapshots: options.snapshots !== false && {
      ...snapshots,
      snapshotIntervalMillis: settings.firstFit(isDelay, { snapshotIntervalMillis: snapshots?.snapshotIntervalMillis }),
      heartbeatMillis: settings.firstFit(isPeriod, { heartbeatMillis: snapshots?.heartbeatMillis }),
      maxOpenSpans: settings.firstFit(isSize, { maxOpenSpans: snapshots?.maxOpenSpans }),
    },
    exitFlushMillis: settings.firstFit(isDelay, { exitFlushMillis }) ?? 5_000,
    complaints: settings.complaints,
  }
}

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
