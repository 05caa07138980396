import type { PlanFeed } from './plan-feed.js'
import type { PlanFeeds } from './plan-feeds.js'

export interface EventStreamOptions {
  readonly feeds: PlanFeeds
  readonly feed: PlanFeed
  /** The index in the feed's log of the first event to send. */
  readonly from: number
  /** Milliseconds without an event after which a comment keeps the connection alive. @default 15_000 */
  readonly keepAliveMs?: number
}

/** The headers of any stream of server-sent events. */
export const EVENT_STREAM = {
  'cache-control': 'no-store',
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
}

/** The time after which a client should reconnect, milliseconds. */
const RETRY_MS = 1_000

/** Comments, which clients ignore: all known events are sent; spans arrived without an event; nothing arrived. */
const UP_TO_DATE = ': up to date\r\n\r\n'
const CHANGED = ': changed\r\n\r\n'
const KEEP_ALIVE = ': still here\r\n\r\n'

/**
 * Streams a plan's events from an index on as server-sent events: the known events, then each new event, until the plan
 * has ended or all feeds are closed. An interruption also ends the stream, unless the client has already received it
 * and waits for the plan to be resumed. Bytes are produced when the client reads them.
 */
export function eventStream({
  feeds,
  feed,
  from,
  keepAliveMs = 15_000,
}: EventStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = from
  let reads = feed.reads
  let stop: (() => void) | undefined
  let wake = (): void => {}
  let isUpToDate = false
  let isCancelled = false

  const isDone = (): boolean =>
    feeds.isClosed || feed.phase === 'ended' || (feed.phase === 'interrupted' && next > from)

  /** The text to send now: '' at the end of the stream, undefined while there is nothing to send. */
  const nextText = (): string | undefined => {
    if (isCancelled || feed.isErased) return ''
    if (next < feed.log.length) {
      const { text, next: behind } = feed.log.read(next)
      next = behind
      reads = feed.reads
      return text
    }
    if (isDone()) return ''
    if (!isUpToDate) {
      isUpToDate = true
      return UP_TO_DATE
    }
    if (feed.reads === reads) return undefined
    reads = feed.reads
    return CHANGED
  }

  /** Resolves to undefined when the feed has changed, and to a keep-alive comment when it has not for some time. */
  const changed = (): Promise<string | undefined> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(KEEP_ALIVE), keepAliveMs)
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve(undefined)
      }
    })

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text: string | undefined
        if (stop) for (text = nextText(); text === undefined; text = (await changed()) ?? nextText());
        else {
          stop = feeds.watch(feed, () => wake())
          text = `retry: ${RETRY_MS}\r\n\r\n`
        }
        if (isCancelled) return
        if (text !== '') return controller.enqueue(encoder.encode(text))
        stop()
        controller.close()
      },
      cancel() {
        isCancelled = true
        stop?.()
        wake()
      },
    },
    // Watches and produces nothing before the client reads.
    { highWaterMark: 0 },
  )
}
