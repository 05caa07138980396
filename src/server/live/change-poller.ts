import { setImmediate, setTimeout } from 'node:timers/promises'

import type { SpanReader, TraceProgress } from '../../store/index.js'
import { InterruptibleDelay } from '../async.js'
import { readFeed } from '../rebuild/index.js'
import type { PlanFeed } from './plan-feed.js'

const MIN_INTERVAL_MS = 50
/** The interval while there are changes. Without changes it grows by `INTERVAL_GROWTH`, up to the maximum. */
const INTERVAL_MS = 250
const MAX_INTERVAL_MS = 1_000
const INTERVAL_GROWTH = 1.2

/** The pause after a read of a trace, as a multiple of the duration of the read. */
const BACKOFF_FACTOR = 4
const MAX_BACKOFF_MS = 10_000
const MAX_ROWS_PER_READ = 20_000

/** Reads without news after which a later end in the store is taken for that of a copy of a span that was read. */
const MAX_EMPTY_READS = 5

interface Schedule {
  /** The earliest time of the next read, Unix milliseconds. */
  notBefore: number
  /** Reads in a row that found nothing new. */
  emptyReads: number
  /** The latest end in the store that no read returns, because another copy of the span is read. */
  copiedEnd: bigint
}

/**
 * Polls the store for changes in the traces of feeds, because a collector may write to it without this process. One
 * poll covers all feeds; it runs at once when this process has written, else at an interval.
 */
export class ChangePoller {
  readonly #reader: Pick<SpanReader, 'traceProgress' | 'readTraces'>
  readonly #schedules = new Map<PlanFeed, Schedule>()
  readonly #delay = new InterruptibleDelay()
  #isWoken = false
  #isRunning = false
  #interval = INTERVAL_MS

  constructor(reader: Pick<SpanReader, 'traceProgress' | 'readTraces'>) {
    this.#reader = reader
  }

  add(feed: PlanFeed): void {
    if (this.#schedules.has(feed)) return
    this.#schedules.set(feed, { notBefore: 0, emptyReads: 0, copiedEnd: 0n })
    this.#interval = INTERVAL_MS
    this.wake()
    if (!this.#isRunning) void this.#loop()
  }

  remove(feed: PlanFeed): void {
    this.#schedules.delete(feed)
    if (this.#schedules.size === 0) this.#delay.interrupt()
  }

  /** Polls immediately after this process has stored rows. */
  wake(): void {
    this.#isWoken = true
    this.#delay.interrupt()
  }

  async #loop(): Promise<void> {
    this.#isRunning = true
    while (this.#schedules.size > 0) {
      this.#isWoken = false
      const begun = Date.now()
      // If the store does not respond, the next poll retries. Clients wait and lose nothing.
      const found = await this.#poll().catch(() => false)
      this.#interval = found ? INTERVAL_MS : Math.min(this.#interval * INTERVAL_GROWTH, MAX_INTERVAL_MS)
      await setTimeout(Math.max(MIN_INTERVAL_MS, Date.now() - begun), undefined, { ref: false })
      if (!this.#isWoken) await this.#delay.wait(this.#interval)
    }
    this.#isRunning = false
  }

  /** Reads the feeds whose traces have changed. Returns whether any trace has changed. */
  async #poll(): Promise<boolean> {
    const feeds = [...this.#schedules.keys()].filter(({ phase }) => phase !== 'ended')
    if (feeds.length === 0) return false
    const progress = await this.#reader.traceProgress(traceIdsOf(feeds))
    const behind = feeds.filter((feed) => feed.isDue || this.#hasNews(feed, progress.get(feed.target.traceId)))
    const now = Date.now()
    const ready = behind.filter((feed) => (this.#schedules.get(feed)?.notBefore ?? now) <= now)
    for (const feed of ready) if (feed.isLarge) void this.#readAlone(feed, progress)
    for (const batch of batchesOf(ready.filter(({ isLarge }) => !isLarge))) await this.#read(batch, progress)
    return behind.length > 0
  }

  #hasNews(feed: PlanFeed, there: TraceProgress | undefined): boolean {
    const { copiedEnd = 0n } = this.#schedules.get(feed) ?? {}
    const { rows, end } = feed.progress
    return there !== undefined && isAhead(there, { rows, end: end > copiedEnd ? end : copiedEnd })
  }

  async #read(feeds: readonly PlanFeed[], progress: ReadonlyMap<string, TraceProgress>): Promise<void> {
    const begun = Date.now()
    const before = new Map(feeds.map((feed) => [feed, feed.progress]))
    try {
      const traces = await this.#reader.readTraces(traceIdsOf(feeds))
      for (const feed of feeds) {
        feed.take(readFeed(traces.get(feed.target.traceId) ?? [], feed.task))
        await setImmediate()
      }
    } finally {
      const share = (Date.now() - begun) / feeds.length
      for (const feed of feeds) {
        this.#backOff(feed, share, before.get(feed) ?? feed.progress)
        this.#acceptCopies(feed, progress.get(feed.target.traceId))
      }
    }
  }

  /** Reads a feed without delaying the others. */
  async #readAlone(feed: PlanFeed, progress: ReadonlyMap<string, TraceProgress>): Promise<void> {
    const begun = Date.now()
    const before = feed.progress
    const schedule = this.#schedules.get(feed)
    if (schedule) schedule.notBefore = Number.POSITIVE_INFINITY
    // If it fails, the next poll retries.
    await feed.refresh().catch(() => {})
    this.#backOff(feed, Date.now() - begun, before)
    this.#acceptCopies(feed, progress.get(feed.target.traceId))
  }

  #backOff(feed: PlanFeed, took: number, before: TraceProgress): void {
    const schedule = this.#schedules.get(feed)
    if (!schedule) return
    schedule.emptyReads = isAhead(feed.progress, before) ? 0 : schedule.emptyReads + 1
    const backoff = Math.max(took * BACKOFF_FACTOR, schedule.emptyReads * INTERVAL_MS)
    schedule.notBefore = Date.now() + Math.min(backoff, MAX_BACKOFF_MS)
  }

  #acceptCopies(feed: PlanFeed, there: TraceProgress | undefined): void {
    const schedule = this.#schedules.get(feed)
    if (!schedule || !there || schedule.emptyReads < MAX_EMPTY_READS) return
    schedule.copiedEnd = there.end
  }
}

const traceIdsOf = (feeds: readonly PlanFeed[]): string[] => [...new Set(feeds.map(({ target }) => target.traceId))]

/** Groups feeds so that the rows of each query fit easily into memory. */
function batchesOf(feeds: readonly PlanFeed[]): PlanFeed[][] {
  const batches: PlanFeed[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const feed of feeds) {
    rows += feed.rows
    const batch = batches.at(-1)
    if (batch && rows <= MAX_ROWS_PER_READ) batch.push(feed)
    else {
      batches.push([feed])
      rows = feed.rows
    }
  }
  return batches
}

const isAhead = (there: TraceProgress, known: TraceProgress): boolean =>
  there.rows > known.rows || there.end > known.end
