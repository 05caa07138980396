import { setTimeout } from 'node:timers/promises'

import { TOKEN_HINT } from '../base/advice.js'
import { PlanspanError } from '../error.js'

export interface PostOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
  /** The largest number of attempts to send a request. */
  readonly attempts: number
  /** The time limit for a response, milliseconds. */
  readonly timeoutMillis: number
}

const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** Statuses that servers other than OTLP receivers return for a POST to an unknown path. */
const NO_RECEIVER: ReadonlySet<number> = new Set([404, 405, 501])
const START_ONE =
  'Start one with "planspan serve", or give the address of yours with --endpoint or OTEL_EXPORTER_OTLP_ENDPOINT.'
const FIRST_PAUSE_MILLIS = 100
const LONGEST_PAUSE_MILLIS = 30_000

/**
 * Posts a body and returns the text of a 2xx response. Retries after 429, 502, 503, 504 and broken connections, as the
 * OTLP specification says; then throws `receiver_unreachable`, `store_busy` or `receiver_refused`.
 */
export async function postWithRetry(body: Uint8Array<ArrayBuffer>, options: PostOptions): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await post(body, options)
    if (typeof outcome === 'string') return outcome
    if (!outcome.retry || attempt >= options.attempts) throw outcome.error
    await setTimeout(outcome.pauseMillis ?? backoff(attempt))
  }
}

interface Failure {
  readonly error: PlanspanError
  readonly retry: boolean
  readonly pauseMillis?: number | undefined
}

async function post(body: Uint8Array<ArrayBuffer>, options: PostOptions): Promise<string | Failure> {
  const { url, headers, fetch, timeoutMillis } = options
  try {
    const signal = AbortSignal.timeout(timeoutMillis)
    // No redirects: headers and spans are meant for this receiver only.
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    const text = await response.text()
    return response.ok ? text : refused(response, text, url)
  } catch (error) {
    return { error: unreachable(error, options), retry: true }
  }
}

const UNAUTHENTICATED = 401
function refused(response: Response, text: string, url: string): Failure {
  const { status } = response
  if (NO_RECEIVER.has(status)) {
    const message = `The server at ${url} is not an OTLP receiver (status ${status}). ${START_ONE}`
    return { error: new PlanspanError('receiver_unreachable', message), retry: false }
  }
  const reason = readRefusal(text).replace(/\.$/, '')
  const retry = RETRIED.has(status)
  const advice = retry
    ? 'It is overloaded or not ready; look at its log and try again.'
    : 'Check that the URL belongs to an OTLP/HTTP receiver and that it accepts the headers.' +
      (status === UNAUTHENTICATED ? ` For planspan, ${TOKEN_HINT}` : '')
  const message = `The receiver at ${url} refused spans with HTTP ${status}${reason && `: ${reason}`}. ${advice}`
  return {
    error: new PlanspanError(retry ? 'store_busy' : 'receiver_refused', message),
    retry,
    pauseMillis: retryAfterMillis(response.headers.get('retry-after')),
  }
}

function unreachable(error: unknown, { url, attempts }: PostOptions): PlanspanError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const why = cause instanceof Error ? ('code' in cause && cause.code) || cause.message || cause.name : cause
  const message = `No receiver responds at ${url} (${String(why)}; tried up to ${attempts} times). ${START_ONE}`
  return new PlanspanError('receiver_unreachable', message, { cause: error })
}

/** Retry-After is a number of seconds or a date. */
function retryAfterMillis(header: string | null): number | undefined {
  if (header === null) return undefined
  const millis = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(millis) ? undefined : Math.min(Math.max(millis, 0), LONGEST_PAUSE_MILLIS)
}

/** Exponential backoff; the jitter keeps many senders from returning at once. */
const backoff = (attempt: number): number =>
  Math.min(FIRST_PAUSE_MILLIS * 2 ** (attempt - 1), LONGEST_PAUSE_MILLIS) * (0.75 + Math.random() / 2)

/** An OTLP receiver's answer to a request that it accepted. */
interface PartialSuccess {
  readonly rejected: number
  readonly reason: string
}

/** Reads an ExportTraceServiceResponse; any other body means that all spans were accepted. */
export function readPartialSuccess(body: string): PartialSuccess {
  const partial = memberOf(parse(body), 'partialSuccess')
  const rejected = Number(memberOf(partial, 'rejectedSpans') ?? 0)
  const reason = memberOf(partial, 'errorMessage')
  return {
    rejected: Number.isSafeInteger(rejected) ? rejected : 0,
    reason: typeof reason === 'string' ? reason : '',
  }
}

/** A receiver's reason for refusing a request: the message of its google.rpc.Status, else the body. */
function readRefusal(body: string): string {
  const message = memberOf(parse(body), 'message')
  return typeof message === 'string' && message !== '' ? message : body.replaceAll(/\s+/g, ' ').trim().slice(0, 500)
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
