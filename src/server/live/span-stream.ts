import type { KnownSpans, SpanChanges } from '../rebuild/index.js'
import { changeStream } from './change-stream.js'
import type { PlanFeed } from './plan-feed.js'
import type { PlanFeeds } from './plan-feeds.js'

export interface SpanStreamOptions {
  readonly feeds: PlanFeeds
  /** Signals new rows of the trace. */
  readonly feed: PlanFeed
  /** Reads what a client does not have. */
  readonly read: (known: KnownSpans) => Promise<SpanChanges>
  /** The first changes to send, and the spans that the client then has. */
  readonly first: SpanChanges
}

/** The changes to send to a client: spans, and the id from which it can resume. */
export const changesText = ({ frames, checksum }: SpanChanges): string =>
  `${frames.join('')}id: ${checksum}\r\nevent: known\r\ndata: {}\r\n\r\n`

/**
 * Streams a plan's spans as server-sent events: the stored spans, then each new or changed span, until the plan has
 * ended or all feeds are closed. After each batch, an event `known` has the id from which a client can resume.
 */
export function spanStream({ feeds, feed, read, first }: SpanStreamOptions): ReadableStream<Uint8Array> {
  let { known } = first
  let { reads } = feed
  return changeStream({
    first: changesText(first),
    watch: (onChange) => feeds.watch(feed, onChange),
    async next() {
      if (feeds.isClosed || feed.isErased) return undefined
      const isEnded = feed.phase === 'ended'
      if (feed.reads !== reads) {
        reads = feed.reads
        const changes = await read(known)
        known = changes.known
        if (changes.frames.length > 0) return changesText(changes)
      }
      return isEnded ? undefined : ''
    },
  })
}
