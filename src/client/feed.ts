import { ClientError, notPlanspan } from './request-error.js'
import { lines, pieces } from './lines.js'
import type { RequestOptions } from './transport.js'

/** The options of live events. */
export interface FeedOptions extends RequestOptions {
  /** The `id` of the last known event; only later events are returned. */
  readonly lastEventId?: string | undefined
  /**
   * How long to try to reconnect before the iteration fails, milliseconds; `Infinity` for a page that stays open.
   * @default 30_000
   */
  readonly patienceMs?: number | undefined
  /** The first pause before reconnecting, milliseconds; it doubles after each failure. @default 500 */
  readonly retryMs?: number | undefined
}

/** A server-sent event, or a comment between them. */
export interface Frame {
  readonly id: string | undefined
  readonly event: string
  /** Undefined for comments and retry times. */
  readonly data: string | undefined
  readonly comment: string | undefined
  readonly retry: string | undefined
}

/** One of the connections over which a feed is read. */
export interface Connection {
  /** Whether it continues after events of an earlier connection, or after those that the client named. */
  readonly isResumed: boolean
  readonly response: Response
  readonly frames: AsyncGenerator<Frame, void, undefined>
}

/** Opens the event stream with these headers. */
type Connect = (headers: Readonly<Record<string, string>>) => Promise<Response>

const NO_CONTENT = 204
const MAX_PAUSE_MS = 10_000
/** The server sends a heartbeat every 15 seconds. */
const IDLE_MS = 60_000

/**
 * Connects to an event stream, and reconnects after the last event whenever it ends or breaks off, until the signal
 * aborts or the server reports the end. Throws the error of the first connection, and of later ones if the server
 * rejects them or is unreachable for too long.
 */
export async function* connections(
  connect: Connect,
  { endpoint, ...options }: FeedOptions & { readonly endpoint: string },
): AsyncGenerator<Connection, void, undefined> {
  const { signal, patienceMs = 30_000, retryMs = 500 } = options
  let { lastEventId } = options
  let wasOpen = false
  let waitedMs = 0
  let pauseMs = retryMs
  for (;;) {
    if (signal?.aborted) return
    const knownId = lastEventId
    try {
      const response = await connect(knownId === undefined ? {} : { 'last-event-id': knownId })
      const isOver = response.status === NO_CONTENT
      if (!isOver && !response.headers.get('content-type')?.startsWith('text/event-stream')) {
        await response.body?.cancel()
        throw notPlanspan(endpoint, response.status)
      }
      wasOpen = true
      const frames = framesOf(pieces(response.body, { idleMs: IDLE_MS, signal }), (frame) => {
        lastEventId = frame.id ?? lastEventId
        waitedMs = 0
        pauseMs = retryMs
      })
      yield { isResumed: knownId !== undefined, response, frames }
      if (isOver) return
      // The connection ended normally with more to come, so reconnect without a pause.
      if (lastEventId !== knownId) continue
    } catch (error) {
      if (signal?.aborted) return
      if (!wasOpen || waitedMs >= patienceMs || !isPassing(error)) throw error
    }
    await pause(pauseMs, signal)
    waitedMs += pauseMs
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
  }
}

/** Whether a failure may be temporary, so that it is not the request's fault. */
const isPassing = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === undefined || error.status >= 500 || error.code === 'not_planspan')

/** Yields the events of a connection until it ends for any reason. */
async function* framesOf(
  body: AsyncIterable<Uint8Array>,
  onFrame: (frame: Frame) => void,
): AsyncGenerator<Frame, void, undefined> {
  let fields = new Map<string, string>()
  const read = lines(body)
  try {
    for (;;) {
      const { done, value } = await read.next().catch(() => ({ done: true, value: '' }))
      if (done) return
      if (value === '') {
        const frame = frameOf(fields)
        fields = new Map()
        onFrame(frame)
        yield frame
        continue
      }
      const colon = value.indexOf(':')
      const name = colon < 0 ? value : value.slice(0, colon)
      const text = colon < 0 ? '' : value.slice(colon + 1).replace(/^ /, '')
      const before = fields.get(name)
      fields.set(name, name === 'data' && before !== undefined ? `${before}\n${text}` : text)
    }
  } finally {
    await read.return('')
  }
}

/** The field of a comment has an empty name. */
const frameOf = (fields: ReadonlyMap<string, string>): Frame => ({
  id: fields.get('id'),
  event: fields.get('event') ?? 'message',
  data: fields.get('data'),
  comment: fields.get(''),
  retry: fields.get('retry'),
})

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
