import process from 'node:process'

/** The environment variables that the tracing layer reads. */
export interface Environment {
  /** OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, lower case; '' when unset. */
  readonly captureMessageContent: string
  /** Where traces go, the path included. */
  readonly tracesUrl: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string | undefined
  /** OTEL_SDK_DISABLED. */
  readonly isSdkDisabled: boolean
  /** OTEL_LOG_LEVEL, upper case. */
  readonly logLevel: string | undefined
  /** OTEL_BSP_SCHEDULE_DELAY, OTEL_BSP_MAX_QUEUE_SIZE, OTEL_BSP_MAX_EXPORT_BATCH_SIZE. */
  readonly scheduleDelayMillis: number | undefined
  readonly maxQueueSize: number | undefined
  readonly maxExportBatchSize: number | undefined
}

let cached: Environment | undefined

/** The environment, read at the first call. */
export function environment(): Environment {
  cached ??= read(process.env)
  return cached
}

function read(env: NodeJS.ProcessEnv): Environment {
  const endpoint = set(env['OTEL_EXPORTER_OTLP_ENDPOINT'])
  return {
    captureMessageContent: (env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] ?? '').trim().toLowerCase(),
    tracesUrl:
      set(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) ?? (endpoint === undefined ? undefined : tracesUrlOf(endpoint)),
    headers: {
      ...headersOf(env['OTEL_EXPORTER_OTLP_HEADERS']),
      ...headersOf(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']),
    },
    serviceName: set(env['OTEL_SERVICE_NAME']),
    isSdkDisabled: set(env['OTEL_SDK_DISABLED'])?.toLowerCase() === 'true',
    logLevel: set(env['OTEL_LOG_LEVEL'])?.toUpperCase(),
    scheduleDelayMillis: positive(env['OTEL_BSP_SCHEDULE_DELAY']),
    maxQueueSize: positive(env['OTEL_BSP_MAX_QUEUE_SIZE']),
    maxExportBatchSize: positive(env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE']),
  }
}

/** The traces URL of an OTLP/HTTP endpoint: `http://host:4318` → `http://host:4318/v1/traces`. */
export const tracesUrlOf = (endpoint: string): string => `${endpoint.replace(/\/+$/, '')}/v1/traces`

// The specification treats an empty value as unset.
const set = (value: string | undefined): string | undefined => value?.trim() || undefined

function positive(value: string | undefined): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** `key1=value1,key2=value2`, values percent-encoded. */
function headersOf(value: string | undefined): Record<string, string> {
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
