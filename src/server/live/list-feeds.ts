import { ListFeed, type ReadList } from './list-feed.js'

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
