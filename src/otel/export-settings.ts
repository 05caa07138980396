import { validateHeaderName, validateHeaderValue } from 'node:http'

import { PlanspanError } from '../error.js'
import type { Environment } from './environment.js'
import { isSamplerName, type SamplerName } from './load-sdk.js'

/** Picks valid settings among options and environment variables, and collects warnings about invalid ones. */
export class Settings {
  /** Warnings about invalid values, which are ignored. */
  readonly complaints: string[] = []

  /** Returns the first valid value. Empty values count as unset. */
  firstFit<Value>(isFit: (value: unknown) => value is Value, given: Record<string, unknown>): Value | undefined {
    for (const [name, value] of Object.entries(given)) {
      if (!isGiven(value)) continue
      if (isFit(value)) return value
      this.complaints.push(`planspan: ${name} cannot be ${shown(value)}, which is ignored.`)
    }
    return undefined
  }
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** Describes an invalid value in a message. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' ? 'an object' : typeof value === 'function' ? 'a function' : String(value)
}

/** The longest delay of a timer; longer ones fire immediately. */
const MAX_TIMER_MILLIS = 2 ** 31 - 1

const isBetween = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most
const isText = (value: unknown): value is string => typeof value === 'string'
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
export const isSize = (value: unknown): value is number => isBetween(value, 1, Number.POSITIVE_INFINITY)
const isRatio = (value: unknown): value is number => isBetween(value, 0, 1)
export const isDelay = (value: unknown): value is number => isBetween(value, 0, MAX_TIMER_MILLIS)
export const isPeriod = (value: unknown): value is number => isBetween(value, 1, MAX_TIMER_MILLIS)

/** The receiver of spans, and the batches. */
export interface ExportOptions {
  /** Base URL of the OTLP/HTTP receiver. @default OTEL_EXPORTER_OTLP_ENDPOINT, else http://127.0.0.1:4318 */
  endpoint?: string | undefined
  /** Full URL for traces. @default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, else the endpoint and `/v1/traces` */
  url?: string | undefined
  /** An access token of the receiver, sent as `authorization: Bearer …`. It overrides a header of that name. */
  token?: string | undefined
  /** Headers of every request, added to those of OTEL_EXPORTER_OTLP_HEADERS. */
  headers?: Readonly<Record<string, string>> | undefined
  /** @default OTEL_SERVICE_NAME, else the SDK's `unknown_service:node` */
  serviceName?: string | undefined
  /** The largest number of spans that wait for export. @default OTEL_BSP_MAX_QUEUE_SIZE, else 65_536 */
  maxQueueSize?: number | undefined
  /** The maximum delay before a span is exported, milliseconds. @default OTEL_BSP_SCHEDULE_DELAY, else 250 */
  scheduledDelayMillis?: number | undefined
}

/** The options and the environment combined, without invalid values. */
export interface ExportSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string | undefined
  readonly maxQueueSize: number
  readonly maxExportBatchSize: number
  readonly scheduledDelayMillis: number
  readonly exportTimeoutMillis: number | undefined
  readonly sampler: SamplerName | undefined
  readonly samplerRatio: number
}

/** Resolves the receiver and the batches. Throws `usage` if spans could not be sent with these options. */
export function exportSettings(options: ExportOptions, env: Environment, settings: Settings): ExportSettings {
  const url = urlOf(options, env)
  const headers = headersOf({ ...env.headers, ...options.headers }, options.token)
  const maxQueueSize =
    settings.firstFit(isSize, { maxQueueSize: options.maxQueueSize, OTEL_BSP_MAX_QUEUE_SIZE: env.maxQueueSize }) ??
    65_536
  const maxExportBatchSize =
    settings.firstFit(isSize, { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: env.maxExportBatchSize }) ?? MAX_BATCH
  const delays = {
    scheduledDelayMillis: options.scheduledDelayMillis,
    OTEL_BSP_SCHEDULE_DELAY: env.scheduleDelayMillis,
  }
  return {
    url,
    headers,
    serviceName: settings.firstFit(isText, { serviceName: options.serviceName, OTEL_SERVICE_NAME: env.serviceName }),
    maxQueueSize,
    maxExportBatchSize: Math.min(maxExportBatchSize, maxQueueSize),
    scheduledDelayMillis: settings.firstFit(isDelay, delays) ?? 250,
    exportTimeoutMillis: settings.firstFit(isPeriod, { OTEL_BSP_EXPORT_TIMEOUT: env.exportTimeoutMillis }),
    sampler: settings.firstFit(isSamplerName, { OTEL_TRACES_SAMPLER: env.sampler }),
    samplerRatio: settings.firstFit(isRatio, { OTEL_TRACES_SAMPLER_ARG: env.samplerArg }) ?? 1,
  }
}

// The batch processor sends one batch at a time: small batches would limit the throughput to a distant receiver.
const MAX_BATCH = 2_048

function urlOf({ url, endpoint }: ExportOptions, env: Environment): string {
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
    `${name} is ${shown(given)}, but spans can be sent only to a URL that starts with http:// or https://, ` +
      `for example ${DEFAULT_ENDPOINT}.`,
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
      throw new PlanspanError('usage', `the header ${shown(name)} is not a valid HTTP header.`, { cause })
    }
  }
  return headers
}

const AUTHORIZATION = 'authorization'

function bearer(token: unknown): string {
  if (isText(token)) return `Bearer ${token}`
  throw new PlanspanError('usage', `token is ${shown(token)}, but must be text.`)
}

const without = (headers: Readonly<Record<string, string>>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one.toLowerCase() !== name))
