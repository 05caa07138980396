import type { PlanFeed } from './plan-feed.js'
import type { PlanFeeds } from './plan-feeds.js'
import type { KnownSpans, SpanChanges } from './span-changes.js'

export interface SpanStreamOptions {
  readonly feeds: PlanFeeds
  /** Tells when anything has come. */
  readonly feed: PlanFeed
  /** Reads what a client does not have. */
  readonly read: (known: KnownSpans) => Promise<SpanChanges>
  /** What the client has at first, and what is to be sent. */
  readonly first: SpanChanges
  /** Milliseconds without a change after which a comment keeps the connection alive. @default 15_000 */
  readonly keepAliveMs?: number
}

const KEEP_ALIVE = ': still here\r\n\r\n'

/** What a client is sent of changes: the spans, and by what it may go on after them. */
export const changesText = ({ frames, checksum }: SpanChanges): string =>
  `${frames.join('')}id: ${checksum}\r\nevent: known\r\ndata: {}\r\n\r\n`

/**
 * A plan's spans as server-sent events: those that are there, then each that comes or changes, until the plan has ended
 * or all feeds are closed. After each lot an event `known` has the id by which a client goes on. Nothing is read before
 * the client has read what there is.
 */
export function spanStream({
  feeds,
  feed,
  read,
  first,
  keepAliveMs = 15_000,
}: SpanStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let { known } = first
  let reads = feed.reads
  let stop: (() => void) | undefined
  let wake = (): void => {}
  let isCancelled = false

  /** Resolves to false when nothing has come for some time. */
  const changed = (): Promise<boolean> =>
    new Promise((resolve) => {
      if (feed.reads !== reads || feeds.isClosed) return resolve(true)
      const timer = setTimeout(() => resolve(false), keepAliveMs)
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })

  /** The text to send next; undefined at the end of the stream. */
  const nextText = async (): Promise<string | undefined> => {
    for (;;) {
      if (isCancelled || feeds.isClosed) return undefined
      const isEnded = feed.phase === 'ended'
      if (feed.reads !== reads) {
        reads = feed.reads
        const changes = await read(known)
        known = changes.known
        if (changes.frames.length > 0) return changesText(changes)
      }
      if (isEnded) return undefined
      if (!(await changed())) return KEEP_ALIVE
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text: string | undefined
        if (stop) text = await nextText()
        else {
          stop = feeds.watch(feed, () => wake())
          text = changesText(first)
        }
        if (isCancelled) return
        if (text !== undefined) return controller.enqueue(encoder.encode(text))
        stop()
        controller.close()
      },
      cancel() {
        isCancelled = true
        stop?.()
        wake()
      },
    },
    // The feed is not watched before the client reads.
    { highWaterMark: 0 },
  )
}
