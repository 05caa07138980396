import { setTimeout } from 'node:timers/promises'

import type { PlanJson } from '../../wire/index.js'
import { InterruptibleDelay } from '../async.js'

/** The plans of a list, in its order. */
type ReadList = () => Promise<readonly PlanJson[]>

/** The pauses between reads: after a write a minimum and a multiple of the last read's duration, else an interval. */
const MIN_INTERVAL_MS = 250
const BACKOFF_FACTOR = 4
const INTERVAL_MS = 2_000

/** A watched list, read once for all its watchers. */
export class ListFeed {
  readonly #read: ReadList
  readonly #watchers = new Set<() => void>()
  readonly #delay = new InterruptibleDelay()
  #rows: readonly PlanJson[] = []
  #isRunning = false
  #isWoken = false

  constructor(read: ReadList) {
    this.#read = read
  }

  get rows(): readonly PlanJson[] {
    return this.#rows
  }

  get watchers(): number {
    return this.#watchers.size
  }

  /** Reads the list. Throws as the reader does. */
  async refresh(): Promise<void> {
    this.#rows = await this.#read()
    this.notify()
  }

  /** Calls all watchers back. */
  notify(): void {
    for (const watcher of this.#watchers) watcher()
  }

  /** Calls back after each read, until the returned function is called. */
  watch(onRead: () => void): () => void {
    this.#watchers.add(onRead)
    if (!this.#isRunning) void this.#loop()
    return () => {
      this.#watchers.delete(onRead)
      if (this.#watchers.size === 0) this.wake()
    }
  }

  /** Schedules a read after this process has stored rows. */
  wake(): void {
    this.#isWoken = true
    this.#delay.interrupt()
  }

  async #loop(): Promise<void> {
    this.#isRunning = true
    while (this.#watchers.size > 0) {
      this.#isWoken = false
      const begun = Date.now()
      // If the store does not respond, the next read retries. Clients wait and lose nothing.
      await this.refresh().catch(() => {})
      const pause = Math.max(MIN_INTERVAL_MS, (Date.now() - begun) * BACKOFF_FACTOR)
      await setTimeout(pause, undefined, { ref: false })
      if (!this.#isWoken) await this.#delay.wait(INTERVAL_MS)
    }
    this.#isRunning = false
  }
}

/** The watched lists, each read once for all its watchers. */
export class ListFeeds {
  readonly #feeds = new Map<string, ListFeed>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The current number of watching clients. */
  get watchers(): number {
    return [...this.#feeds.values()].reduce((total, { watchers }) => total + watchers, 0)
  }

  /** Returns a recently read list by its name. Throws as the reader does. */
  async open(key: string, read: ReadList): Promise<ListFeed> {
    const watched = this.#feeds.get(key)
    if (watched) return watched
    const feed = new ListFeed(read)
    await feed.refresh()
    return this.#feeds.get(key) ?? feed
  }

  /** Calls back after each read, until the returned function is called or all feeds are closed. */
  watch(key: string, feed: ListFeed, onRead: () => void): () => void {
    this.#feeds.set(key, feed)
    const stop = feed.watch(onRead)
    return () => {
      stop()
      if (feed.watchers === 0 && this.#feeds.get(key) === feed) this.#feeds.delete(key)
    }
  }

  /** Schedules reads after this process has stored rows. */
  wake(): void {
    for (const feed of this.#feeds.values()) feed.wake()
  }

  /** Ends all streams. Idempotent. */
  close(): void {
    this.#isClosed = true
    for (const feed of this.#feeds.values()) feed.notify()
    this.#feeds.clear()
  }
}
