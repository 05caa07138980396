import process from 'node:process'

/** The environment variables that the tracing layer reads. */
export interface Environment {
  /** OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, lower case; '' when unset. */
  readonly captureMessageContent: string
  /** OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, a full URL, and OTEL_EXPORTER_OTLP_ENDPOINT, the base URL for all signals. */
  readonly tracesUrl: string | undefined
  readonly endpoint: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string | undefined
  /** OTEL_SDK_DISABLED. */
  readonly isSdkDisabled: boolean
  /** OTEL_LOG_LEVEL, upper case. */
  readonly logLevel: string | undefined
  /** OTEL_TRACES_SAMPLER, lower case, and OTEL_TRACES_SAMPLER_ARG. */
  readonly sampler: string | undefined
  readonly samplerArg: NumberOrText
  /** OTEL_BSP_SCHEDULE_DELAY, …_MAX_QUEUE_SIZE, …_MAX_EXPORT_BATCH_SIZE, …_EXPORT_TIMEOUT. */
  readonly scheduleDelayMillis: NumberOrText
  readonly maxQueueSize: NumberOrText
  readonly maxExportBatchSize: NumberOrText
  readonly exportTimeoutMillis: NumberOrText
}

/** A variable that should be a number; its text if it is not. */
type NumberOrText = number | string | undefined

let cached: Environment | undefined

/** The environment, as read by the first call. */
export function environment(): Environment {
  cached ??= read(process.env)
  return cached
}

function read(env: NodeJS.ProcessEnv): Environment {
  return {
    captureMessageContent: (env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] ?? '').trim().toLowerCase(),
    tracesUrl: set(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']),
    endpoint: set(env['OTEL_EXPORTER_OTLP_ENDPOINT']),
    headers: {
      ...otlpHeaders(env['OTEL_EXPORTER_OTLP_HEADERS']),
      ...otlpHeaders(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']),
    },
    serviceName: set(env['OTEL_SERVICE_NAME']),
    isSdkDisabled: set(env['OTEL_SDK_DISABLED'])?.toLowerCase() === 'true',
    logLevel: set(env['OTEL_LOG_LEVEL'])?.toUpperCase(),
    sampler: set(env['OTEL_TRACES_SAMPLER'])?.toLowerCase(),
    samplerArg: number(env['OTEL_TRACES_SAMPLER_ARG']),
    scheduleDelayMillis: number(env['OTEL_BSP_SCHEDULE_DELAY']),
    maxQueueSize: number(env['OTEL_BSP_MAX_QUEUE_SIZE']),
    maxExportBatchSize: number(env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE']),
    exportTimeoutMillis: number(env['OTEL_BSP_EXPORT_TIMEOUT']),
  }
}

// The specification treats an empty value as unset.
const set = (value: string | undefined): string | undefined => value?.trim() || undefined

function number(value: string | undefined): NumberOrText {
  const text = set(value)
  return text === undefined || Number.isNaN(Number(text)) ? text : Number(text)
}

/** Parses OTEL_EXPORTER_OTLP_HEADERS: `key1=value1,key2=value2`; values are percent-encoded. */
export function otlpHeaders(value: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const pair of (value ?? '').split(',')) {
    const [key, ...rest] = pair.split('=')
    if (key?.trim() && rest.length > 0) headers[key.trim()] = percentDecoded(rest.join('=').trim())
  }
  return headers
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
