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
  /** What the client has at first, and what is to be sent. */
  readonly first: SpanChanges
}

/** What a client is sent of changes: the spans, and by what it may go on after them. */
export const changesText = ({ frames, checksum }: SpanChanges): string =>
  `${frames.join('')}id: ${checksum}\r\nevent: known\r\ndata: {}\r\n\r\n`

/**
 * A plan's spans as server-sent events: those that are there, then each that comes or changes, until the plan has ended
 * or all feeds are closed. After each lot an event `known` has the id by which a client goes on.
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
