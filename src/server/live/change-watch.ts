import { setTimeout } from 'node:timers/promises'

import type { SpanReader, TraceProgress } from '../../store/index.js'
import { Pause } from './pause.js'
import type { PlanFeed } from './plan-feed.js'

/**
 * The shortest time between two questions, and between two while nothing changes and no writer says so, milliseconds.
 */
const SHORTEST_MS = 50
const USUAL_MS = 250
const LONGEST_MS = 1_000
const GROWTH = 1.2
/** A trace is not read again before so many times what that took. */
const REST = 4
const MAX_ROWS = 20_000
const LONGEST_REST_MS = 10_000
/** Spans may arrive that start before the first one that was read. */
const EARLIER_NANOS = 3_600_000_000_000n

/** So often a feed is read in vain before what it was read for is taken for spans that were stored twice. */
const MOST_TRIES = 5

/** When a feed may be read again, how often it was read in vain, and what the store tells of that no reading finds. */
interface Schedule {
  after: number
  tries: number
  repeatedRows: number
  unreadEnd: bigint
}

/**
 * Watches the traces of feeds. Spans may be written by this process or by a collector past it, so the store is asked:
 * one small question for all feeds at once, at once when this process has written, else as often as changes come.
 */
export class ChangeWatch {
  readonly #reader: Pick<SpanReader, 'traceProgress' | 'readTraces'>
  readonly #schedules = new Map<PlanFeed, Schedule>()
  readonly #pause = new Pause()
  #isWoken = false
  #isRunning = false
  #interval = USUAL_MS

  constructor(reader: Pick<SpanReader, 'traceProgress' | 'readTraces'>) {
    this.#reader = reader
  }

  add(feed: PlanFeed): void {
    if (this.#schedules.has(feed)) return
    this.#schedules.set(feed, { after: 0, tries: 0, repeatedRows: 0, unreadEnd: 0n })
    this.#interval = USUAL_MS
    this.wake()
    if (!this.#isRunning) void this.#run()
  }

  remove(feed: PlanFeed): void {
    this.#schedules.delete(feed)
    if (this.#schedules.size === 0) this.#pause.end()
  }

  /** Says that something was stored. */
  wake(): void {
    this.#isWoken = true
    this.#pause.end()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#schedules.size > 0) {
      this.#isWoken = false
      const begun = Date.now()
      // A store that does not answer is asked again: the clients wait, and lose nothing.
      const found = await this.#round().catch(() => false)
      this.#interval = found ? USUAL_MS : Math.min(this.#interval * GROWTH, LONGEST_MS)
      await setTimeout(Math.max(SHORTEST_MS, Date.now() - begun), undefined, { ref: false })
      if (!this.#isWoken) await this.#pause.wait(this.#interval)
    }
    this.#isRunning = false
  }

  /** Reads the feeds whose traces have come further than they know; whether there was any. */
  async #round(): Promise<boolean> {
    const feeds = [...this.#schedules.keys()].filter(({ phase }) => phase !== 'over')
    if (feeds.length === 0) return false
    const since = feeds.reduce((least, feed) => (feed.since < least ? feed.since : least), feeds[0]?.since ?? 0n)
    const progress = await this.#reader.traceProgress({ traceIds: traceIdsOf(feeds), since: since - EARLIER_NANOS })
    const behind = feeds.filter((feed) => feed.isDue || this.#hasNews(feed, progress.get(feed.target.traceId)))
    const now = Date.now()
    const ready = behind.filter((feed) => (this.#schedules.get(feed)?.after ?? now) <= now)
    for (const batch of batchesOf(ready)) await this.#read(batch, progress)
    return behind.length > 0
  }

  #hasNews(feed: PlanFeed, there: TraceProgress | undefined): boolean {
    const { repeatedRows = 0, unreadEnd = 0n } = this.#schedules.get(feed) ?? {}
    const { rows, end } = feed.progress
    return (
      there !== undefined && goesBeyond(there, { rows: rows + repeatedRows, end: end > unreadEnd ? end : unreadEnd })
    )
  }

  async #read(feeds: readonly PlanFeed[], progress: ReadonlyMap<string, TraceProgress>): Promise<void> {
    const begun = Date.now()
    const before = new Map(feeds.map((feed) => [feed, feed.progress]))
    try {
      const traces = await this.#reader.readTraces(traceIdsOf(feeds))
      for (const feed of feeds) feed.take(traces.get(feed.target.traceId) ?? [])
    } finally {
      const share = (Date.now() - begun) / feeds.length
      for (const feed of feeds) {
        this.#rest(feed, share, before.get(feed) ?? feed.progress)
        this.#giveUp(feed, progress.get(feed.target.traceId))
      }
    }
  }

  #rest(feed: PlanFeed, took: number, before: TraceProgress): void {
    const schedule = this.#schedules.get(feed)
    if (!schedule) return
    // What the lookups tell of may not be readable yet, or never.
    schedule.tries = goesBeyond(feed.progress, before) ? 0 : schedule.tries + 1
    schedule.after = Date.now() + Math.min(Math.max(took * REST, schedule.tries * USUAL_MS), LONGEST_REST_MS)
  }

  #giveUp(feed: PlanFeed, there: TraceProgress | undefined): void {
    const schedule = this.#schedules.get(feed)
    if (!schedule || !there || schedule.tries < MOST_TRIES) return
    schedule.repeatedRows = there.rows - feed.progress.rows
    schedule.unreadEnd = there.end
  }
}

const traceIdsOf = (feeds: readonly PlanFeed[]): string[] => [...new Set(feeds.map(({ target }) => target.traceId))]

/** Feeds that are read in one question, as many as have together no more rows than fit into memory with ease. */
function batchesOf(feeds: readonly PlanFeed[]): PlanFeed[][] {
  const batches: PlanFeed[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const feed of feeds) {
    rows += feed.rows
    const batch = batches.at(-1)
    if (batch && rows <= MAX_ROWS) batch.push(feed)
    else {
      batches.push([feed])
      rows = feed.rows
    }
  }
  return batches
}

const goesBeyond = (there: TraceProgress, known: TraceProgress): boolean =>
  there.rows > known.rows || there.end > known.end
