import { setTimeout as delay } from 'node:timers/promises'

import { Indexing, type IndexingOptions } from './indexing.js'
import type { IndexerStatus } from './status.js'

/** The time between the starts of two passes, milliseconds. */
const PASS_MS = 1_000
const RETRY_MS = 1_000

/**
 * Runs the mapping over each trace that has changed and writes its rows, in passes: immediately if a caller waits,
 * otherwise at intervals.
 */
export class Indexer {
  readonly #indexing: Indexing
  #waiters: ((isIndexed: boolean) => void)[] = []
  #wake: (() => void) | undefined
  #isClosed = false
  #running: Promise<void> | undefined

  constructor(options: IndexingOptions) {
    this.#indexing = new Indexing(options)
  }

  get status(): IndexerStatus {
    return this.#indexing.status
  }

  /** Starts indexing; `close` ends it. */
  start(): void {
    this.#running ??= this.#run()
  }

  /** Resolves to true when all rows that are currently stored are indexed, and to false if indexing them fails. */
  catchUp(): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#waiters.push(resolve)
      this.#wake?.()
    })
  }

  /** Indexes stored traces again. */
  reindex(traceIds: Iterable<string>): void {
    this.#indexing.reindex(traceIds)
    this.#wake?.()
  }

  /** Reads the prices again, and indexes the plans whose cost has changed. */
  reprice(): void {
    this.#indexing.reprice()
    this.#wake?.()
  }

  /** Stops after the current pass. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#indexing.stop()
    this.#wake?.()
    await this.#running
    await this.#indexing.noteLast()
    for (const resolve of this.#waiters.splice(0)) resolve(false)
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const begun = Date.now()
      const waiters = this.#waiters.splice(0)
      let isIndexed = false
      let isIncomplete = false
      let pause = RETRY_MS
      try {
        const isComplete = await this.#indexing.pass({ isUrgent: waiters.length > 0 })
        isIndexed = isComplete && !this.#isClosed
        isIncomplete = !isComplete && !this.#isClosed
        pause = PASS_MS - (Date.now() - begun)
      } catch (error) {
        await this.#indexing.fail(error)
      }
      if (isIncomplete) this.#waiters = [...waiters, ...this.#waiters]
      else for (const resolve of waiters) resolve(isIndexed)
      if (this.#waiters.length === 0 && pause > 0) await this.#pause(pause)
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#isClosed) return
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    await delay(milliseconds, undefined, { signal: woken.signal, ref: false }).catch(() => undefined)
    this.#wake = undefined
  }
}
