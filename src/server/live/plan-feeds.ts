import type { SpanReader } from '../../store/index.js'
import { ChangeWatch } from './change-watch.js'
import { PlanFeed, type FeedOptions, type FeedTarget } from './plan-feed.js'

/** What feeds without a watcher may hold: a client that comes back then goes on exactly where it was. */
const MAX_IDLE = 100
const MAX_IDLE_CHARACTERS = 32 << 20

/** The live plans that are being watched, each read once for all who watch it. */
export class PlanFeeds {
  readonly #options: FeedOptions
  readonly #watch: ChangeWatch
  /** The one that was let go of last stands last. */
  readonly #feeds = new Map<string, PlanFeed>()
  #isClosed = false

  constructor(reader: Pick<SpanReader, 'readTrace' | 'readTraces' | 'traceProgress'>, clock: () => number = Date.now) {
    this.#options = { reader, clock }
    this.#watch = new ChangeWatch(reader)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** How many clients watch at the moment. */
  get watchers(): number {
    return [...this.#feeds.values()].reduce((total, { watchers }) => total + watchers, 0)
  }

  /** The feed of a plan, read at least up to now. Throws as the reader does. */
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
    this.#watch.add(feed)
    return () => {
      stop()
      if (feed.watchers === 0) this.#release(feed)
    }
  }

  /** Says that something was stored, so that it need not be asked for. */
  wake(): void {
    this.#watch.wake()
  }

  /** Ends all streams. Idempotent. */
  close(): void {
    this.#isClosed = true
    for (const feed of this.#feeds.values()) {
      feed.notify()
      this.#watch.remove(feed)
    }
    this.#feeds.clear()
  }

  #release(feed: PlanFeed): void {
    this.#watch.remove(feed)
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
