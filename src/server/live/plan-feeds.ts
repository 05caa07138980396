import type { SpanReader } from '../../store/index.js'
import type { FeedTarget } from '../rebuild/index.js'
import { ChangePoller } from './change-poller.js'
import { PlanFeed, type FeedOptions } from './plan-feed.js'

export interface PlanFeedsOptions {
  readonly reader: Pick<SpanReader, 'readTraces' | 'traceProgress'>
  readonly rebuilder: FeedOptions['rebuilder']
}

/** The limits of feeds kept without watchers, so that reconnecting clients continue exactly where they stopped. */
const MAX_IDLE = 100
const MAX_IDLE_CHARACTERS = 32 << 20

/** The feeds of live plans, each read once for all its watchers. */
export class PlanFeeds {
  readonly #options: FeedOptions
  readonly #poller: ChangePoller
  /** In the order in which they lost their last watcher. */
  readonly #feeds = new Map<string, PlanFeed>()
  #isClosed = false

  constructor({ reader, rebuilder }: PlanFeedsOptions, clock: () => number = Date.now) {
    this.#options = { rebuilder, clock }
    this.#poller = new ChangePoller(reader)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The current number of watching clients. */
  get watchers(): number {
    return [...this.#feeds.values()].reduce((total, { watchers }) => total + watchers, 0)
  }

  /** Returns the up-to-date feed of a plan. Throws as the reader does. */
  async open(target: FeedTarget): Promise<PlanFeed> {
    const key = keyOf(target)
    const feed = this.#feeds.get(key) ?? new PlanFeed(target, this.#options)
    this.#feeds.set(key, feed)
    try {
      await feed.refresh()
    } finally {
      if (feed.watchers === 0) this.#release(feed)
    }
    return feed
  }

  /** Calls back when a feed has anything new, until the returned function is called or all feeds are closed. */
  watch(feed: PlanFeed, onChange: () => void): () => void {
    this.#feeds.set(keyOf(feed.target), feed)
    const stop = feed.watch(onChange)
    this.#poller.add(feed)
    return () => {
      stop()
      if (feed.watchers === 0) this.#release(feed)
    }
  }

  /** Polls immediately after this process has stored rows. */
  wake(): void {
    this.#poller.wake()
  }

  /** Ends the streams of erased traces, and drops their data. */
  forget(traceIds: readonly string[]): void {
    const erased = new Set(traceIds)
    for (const [key, feed] of this.#feeds) {
      if (!erased.has(feed.target.traceId)) continue
      this.#feeds.delete(key)
      this.#poller.remove(feed)
      feed.erase()
    }
  }

  /** Ends all streams. Idempotent. */
  close(): void {
    this.#isClosed = true
    for (const feed of this.#feeds.values()) {
      feed.notify()
      this.#poller.remove(feed)
    }
    this.#feeds.clear()
  }

  #release(feed: PlanFeed): void {
    this.#poller.remove(feed)
    if (feed.isErased) return
    const key = keyOf(feed.target)
    this.#feeds.delete(key)
    if (this.#isClosed || !feed.events) return
    this.#feeds.set(key, feed)
    const idle = [...this.#feeds].filter(([, { watchers }]) => watchers === 0)
    let count = idle.length
    let size = idle.reduce((total, [, { log }]) => total + log.size, 0)
    for (const [oldest, { log }] of idle) {
      if (count <= MAX_IDLE && size <= MAX_IDLE_CHARACTERS) return
      this.#feeds.delete(oldest)
      count--
      size -= log.size
    }
  }
}

const keyOf = (target: FeedTarget): string =>
  JSON.stringify([
    target.traceId,
    'planId' in target ? 'plan' : 'step',
    'planId' in target ? target.planId : target.stepId,
  ])
