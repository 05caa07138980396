import { validateHeaderName, validateHeaderValue } from 'node:http'
import { PlanspanError } from '../error.js'
import type { Environment } from './environment.js'
import type { RegisterOptions } from './register-options.js'
import { isSamplerName, type SamplerName } from './sampler.js'

/** The options and the environment combined, without invalid values; other parts apply their own defaults. */
export interface RegisterSettings extends Omit<RegisterOptions, 'endpoint' | 'token'> {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly maxQueueSize: number
  readonly maxExportBatchSize: number
  readonly scheduledDelayMillis: number
  readonly exportTimeoutMillis: number | undefined
  readonly exitFlushMillis: number
  readonly sampler: SamplerName | undefined
  readonly samplerRatio: number
  /** Warnings about invalid values that are ignored. */
  readonly complaints: readonly string[]
}

/** Resolves the options of register(). Throws `usage` if spans could not be sent with them. */
export function resolveSettings(options: RegisterOptions, env: Environment): RegisterSettings {
  const complaints: string[] = []
  const firstFit = <Value>(isFit: (value: unknown) => value is Value, given: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(given)) {
      if (!isGiven(value)) continue
      if (isFit(value)) return value
      complaints.push(`planspan: ${name} cannot be ${shown(value)}, which is ignored.`)
    }
    return undefined
  }
  const { maxRequestBytes, exitFlushMillis } = options
  const snapshots = options.snapshots === false ? undefined : options.snapshots
  const maxQueueSize =
    firstFit(isSize, { maxQueueSize: options.maxQueueSize, OTEL_BSP_MAX_QUEUE_SIZE: env.maxQueueSize }) ?? 65_536
  const maxExportBatchSize = firstFit(isSize, { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: env.maxExportBatchSize }) ?? MAX_BATCH
  const delays = {
    scheduledDelayMillis: options.scheduledDelayMillis,
    OTEL_BSP_SCHEDULE_DELAY: env.scheduleDelayMillis,
  }
  return {
    url: urlOf(options, env),
    headers: headersOf({ ...env.headers, ...options.headers }, options.token),
    serviceName: firstFit(isText, { serviceName: options.serviceName, OTEL_SERVICE_NAME: env.serviceName }),
    redact: options.redact,
    // An invalid value turns capture off, which reveals nothing.
    captureContent:
      firstFit(isBoolean, { captureContent: options.captureContent }) ??
      (isGiven(options.captureContent) ? false : undefined),
    maxRequestBytes: firstFit(isSize, { maxRequestBytes }),
    maxQueueSize,
    maxExportBatchSize: Math.min(maxExportBatchSize, maxQueueSize),
    scheduledDelayMillis: firstFit(isDelay, delays) ?? 250,
    exportTimeoutMillis: firstFit(isPeriod, { OTEL_BSP_EXPORT_TIMEOUT: env.exportTimeoutMillis }),
    snapshots: options.snapshots !== false && {
      ...snapshots,
      snapshotIntervalMillis: firstFit(isDelay, { snapshotIntervalMillis: snapshots?.snapshotIntervalMillis }),
      heartbeatMillis: firstFit(isPeriod, { heartbeatMillis: snapshots?.heartbeatMillis }),
      maxOpenSpans: firstFit(isSize, { maxOpenSpans: snapshots?.maxOpenSpans }),
    },
    exitFlushMillis: firstFit(isDelay, { exitFlushMillis }) ?? 5_000,
    sampler: firstFit(isSamplerName, { OTEL_TRACES_SAMPLER: env.sampler }),
    samplerRatio: firstFit(isRatio, { OTEL_TRACES_SAMPLER_ARG: env.samplerArg }) ?? 1,
    complaints,
  }
}

// The batch processor sends one batch at a time: small batches would limit the throughput to a distant receiver.
const MAX_BATCH = 2_048

/** The longest delay of a timer; with a longer one it would fire at once. */
const MAX_TIMER_MILLIS = 2 ** 31 - 1

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
const isText = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isBetween = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most
const isSize = (value: unknown): value is number => isBetween(value, 1, Number.POSITIVE_INFINITY)
const isRatio = (value: unknown): value is number => isBetween(value, 0, 1)
const isDelay = (value: unknown): value is number => isBetween(value, 0, MAX_TIMER_MILLIS)
const isPeriod = (value: unknown): value is number => isBetween(value, 1, MAX_TIMER_MILLIS)

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' ? 'an object' : typeof value === 'function' ? 'a function' : String(value)
}

function urlOf({ url, endpoint }: RegisterOptions, env: Environment): string {
  const sources = [
    { name: 'url', given: url, path: '' },
    { name: 'endpoint', given: endpoint, path: TRACES_PATH },
    { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', given: env.tracesUrl, path: '' },
    { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', given: env.endpoint, path: TRACES_PATH },
  ]
  const source = sources.find(({ given }) => isGiven(given))
  if (source === undefined) return `${DEFAULT_ENDPOINT}${TRACES_PATH}`
  const { name, given, path } = source
  if (typeof given === 'string' && isHttpUrl(given)) return path === '' ? given : given.replace(/\/*$/, path)
  throw new PlanspanError(
    'usage',
    `${name} is ${shown(given)}, and spans can be sent to a URL that starts with http:// or https:// alone, ` +
      `such as ${DEFAULT_ENDPOINT}.`,
  )
}

const TRACES_PATH = '/v1/traces'
const DEFAULT_ENDPOINT = 'http://127.0.0.1:4318'

const isHttpUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

function headersOf(
  given: Readonly<Record<string, string>>,
  token: string | undefined,
): Readonly<Record<string, string>> {
  const headers = isGiven(token) ? { ...without(given, AUTHORIZATION), [AUTHORIZATION]: bearer(token) } : given
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch (cause) {
      throw new PlanspanError('usage', `spans cannot be sent with the header ${shown(name)} as it is.`, { cause })
    }
  }
  return headers
}

const AUTHORIZATION = 'authorization'

function bearer(token: unknown): string {
  if (isText(token)) return `Bearer ${token}`
  throw new PlanspanError('usage', `token is ${shown(token)}, and has to be a text.`)
}

const without = (headers: Readonly<Record<string, string>>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one.toLowerCase() !== name))
