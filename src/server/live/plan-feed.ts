import { errorFrame } from '../../mapping/index.js'
import { isDone } from '../../semconv/index.js'
import type { TraceProgress } from '../../store/index.js'
import type { FeedRead, FeedTarget, FeedTask, Rebuilder } from '../rebuild/index.js'
import { EventLog } from './event-log.js'

type FoundEvents = NonNullable<FeedRead['events']>

export interface FeedOptions {
  readonly rebuilder: Pick<Rebuilder, 'run'>
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The phases of a feed: `interrupted` has no more events unless the plan is resumed, `ended` has none at all. */
export type FeedPhase = 'open' | 'interrupted' | 'ended'

const NANOS_PER_MS = 1_000_000n
/** The time that the last events of a plan wait for spans that arrive after its end. */
const GRACE_MS = 2_000

/** Reads are shared by all watchers, including returning watchers. */
const neverGone = (): AbortSignal => new AbortController().signal

/** The events of a live plan, for any number of watchers. */
export class PlanFeed {
  readonly target: FeedTarget
  readonly log = new EventLog()
  readonly #rebuilder: Pick<Rebuilder, 'run'>
  readonly #clock: () => number
  readonly #watchers = new Set<() => void>()
  #events: FoundEvents | undefined
  #progress: TraceProgress = { rows: 0, end: 0n }
  #endSeen: number | undefined
  #phase: FeedPhase = 'open'
  #reads = 0
  #rows = 0
  #isLarge = false
  #isErased = false
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(target: FeedTarget, { rebuilder, clock }: FeedOptions) {
    this.target = target
    this.#rebuilder = rebuilder
    this.#clock = clock
  }

  /** The events found by the last read; undefined if the trace does not contain the plan. */
  get events(): FoundEvents | undefined {
    return this.#events
  }

  get phase(): FeedPhase {
    return this.#phase
  }

  get watchers(): number {
    return this.#watchers.size
  }

  /** The number of reads so far. */
  get reads(): number {
    return this.#reads
  }

  /** The number of rows that the last read returned. */
  get rows(): number {
    return this.#rows
  }

  /** Whether the next read should run separately, without delaying other feeds. */
  get isLarge(): boolean {
    return this.#isLarge
  }

  /** Whether its trace is erased. Its events must not be sent anymore. */
  get isErased(): boolean {
    return this.#isErased
  }

  /** The trace's progress as of the last read. */
  get progress(): TraceProgress {
    return this.#progress
  }

  /** Calls back after each read that found anything new, until the returned function is called. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange)
    return () => this.#watchers.delete(onChange)
  }

  /** Whether the passage of time alone may have changed the feed. */
  get isDue(): boolean {
    if (this.#phase !== 'open') return false
    const silentAt = this.#events?.silentAt
    const isSilent = silentAt !== undefined && BigInt(this.#clock()) * NANOS_PER_MS > silentAt
    return isSilent || this.#endSeen !== undefined
  }

  /** Reads the trace and adds new events; calls made during a read share the next one. Throws as the reader does. */
  refresh(): Promise<void> {
    if (!this.#reading) return this.#read()
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#read()
      })
    return this.#next
  }

  /** The task of a read of the trace. */
  get task(): FeedTask {
    return { target: this.target, known: this.log.numbers, now: BigInt(this.#clock()) * NANOS_PER_MS }
  }

  /** Adds the new events that a read has found. */
  take({ rows, isLarge, progress, events }: FeedRead): void {
    // Of two concurrent reads, the older read may finish last.
    if (progress.rows < this.#progress.rows || progress.end < this.#progress.end) return
    this.#reads++
    this.#rows = rows
    this.#isLarge = isLarge
    this.#progress = progress
    this.#events = events
    if (events) this.#append(events, this.#clock())
    this.notify()
  }

  /** Ends all streams. */
  erase(): void {
    this.#isErased = true
    this.notify()
  }

  /** Calls all watchers back. */
  notify(): void {
    for (const watcher of this.#watchers) watcher()
  }

  #read(): Promise<void> {
    this.#reading = this.#readOnce().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readOnce(): Promise<void> {
    this.take(await this.#rebuilder.run('feed', this.task, neverGone))
  }

  #append(events: FoundEvents, now: number): void {
    const isOver = events.ended && isDone(events.state)
    this.#endSeen = isOver ? (this.#endSeen ?? now) : undefined
    const mayLack = isOver && events.missing.length > 0 && !this.#isLate(events, now)
    for (const { id, isEnd, frame } of events.news) {
      if ((mayLack && isEnd) || this.log.has(id)) continue
      this.log.add(id, frame)
    }
    if (events.state === 'interrupted' && this.#phase !== 'interrupted') this.#addInterruption(events)
    this.#phase = isOver && !mayLack ? 'ended' : events.state === 'interrupted' ? 'interrupted' : 'open'
  }

  #isLate({ lastHeard }: FoundEvents, now: number): boolean {
    const end = Math.min(Number(lastHeard / NANOS_PER_MS), this.#endSeen ?? now)
    return now - end >= GRACE_MS
  }

  #addInterruption({ lastHeard }: FoundEvents): void {
    const id = `${lastHeard / NANOS_PER_MS}-0`
    this.log.addTransient(id, errorFrame(id, lastHeard, 'The plan was interrupted before it was done.'))
  }
}
