import { decodeEvents, errorFrame, type EventsOf, type PlanEvents } from '../../mapping/index.js'
import { ATTR, isDone, PENDING, type StoredSpan } from '../../semconv/index.js'
import type { SpanReader, TraceProgress } from '../../store/index.js'
import { EventLog } from './event-log.js'

/** The plan, or the agent by its step, that a feed is of, and the trace that answers for it. */
export type FeedTarget = EventsOf & { readonly traceId: string }

export interface FeedOptions {
  readonly reader: Pick<SpanReader, 'readTrace'>
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The phases of a feed: `interrupted` has no more events unless the plan is resumed, `ended` has none at all. */
export type FeedPhase = 'open' | 'interrupted' | 'ended'

const NANOS_PER_MS = 1_000_000n
/** How long the last events of a plan wait for spans that arrive after its end. */
const GRACE_MS = 2_000

/** The events of one live plan as they become known, for any number of watchers. */
export class PlanFeed {
  readonly target: FeedTarget
  readonly log = new EventLog()
  readonly #reader: Pick<SpanReader, 'readTrace'>
  readonly #clock: () => number
  readonly #watchers = new Set<() => void>()
  #events: PlanEvents | undefined
  #progress: TraceProgress = { rows: 0, end: 0n }
  #since = 0n
  #endSeen: number | undefined
  #phase: FeedPhase = 'open'
  #reads = 0
  #rows = 0
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(target: FeedTarget, { reader, clock }: FeedOptions) {
    this.target = target
    this.#reader = reader
    this.#clock = clock
  }

  /** The events found by the last read; undefined where the trace holds no such plan. */
  get events(): PlanEvents | undefined {
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

  /** The trace's progress as of the last read. */
  get progress(): TraceProgress {
    return this.#progress
  }

  /** The earliest start in the trace, Unix nanoseconds. */
  get since(): bigint {
    return this.#since
  }

  /** Calls back after each read that found anything new, until the returned function is called. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange)
    return () => this.#watchers.delete(onChange)
  }

  /** Whether time alone may have changed what the feed says. */
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

  /** Adds the new events that the trace's rows hold. */
  take(rows: readonly StoredSpan[]): void {
    const progress = progressOf(rows)
    // Of two reads under way at once, the one that knows less may finish last.
    if (progress.rows < this.#progress.rows || progress.end < this.#progress.end) return
    const now = this.#clock()
    this.#reads++
    this.#rows = rows.length
    this.#progress = progress
    this.#since = rows.reduce(
      (least, { startTimeUnixNano: start }) => (start < least ? start : least),
      this.#progress.end,
    )
    this.#events = decodeEvents(rows, { ...this.target, now: BigInt(now) * NANOS_PER_MS })
    if (this.#events) this.#append(this.#events, now)
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
    this.take(await this.#reader.readTrace(this.target.traceId))
  }

  #append(events: PlanEvents, now: number): void {
    const isOver = events.ended && isDone(events.state)
    this.#endSeen = isOver ? (this.#endSeen ?? now) : undefined
    const mayLack = isOver && events.missing.length > 0 && !this.#isLate(events, now)
    for (const frame of events.frames) {
      if ((mayLack && frame.isEnd) || this.log.has(frame.id)) continue
      this.log.add(frame.id, frame.write())
    }
    if (events.state === 'interrupted' && this.#phase !== 'interrupted') this.#addInterruption(events)
    this.#phase = isOver && !mayLack ? 'ended' : events.state === 'interrupted' ? 'interrupted' : 'open'
  }

  #isLate({ lastHeard }: PlanEvents, now: number): boolean {
    const end = Math.min(Number(lastHeard / NANOS_PER_MS), this.#endSeen ?? now)
    return now - end >= GRACE_MS
  }

  #addInterruption({ lastHeard }: PlanEvents): void {
    const id = `${lastHeard / NANOS_PER_MS}-0`
    this.log.addTransient(id, errorFrame(id, lastHeard, 'The plan was interrupted before it was done.'))
  }
}

function progressOf(rows: readonly StoredSpan[]): TraceProgress {
  let ended = 0
  let end = 0n
  for (const { attributes, startTimeUnixNano, endTimeUnixNano } of rows) {
    if (attributes[ATTR.planId] === undefined) continue
    if (attributes[ATTR.spanState] !== PENDING) ended++
    for (const time of [startTimeUnixNano, endTimeUnixNano]) if (time > end) end = time
  }
  return { rows: ended, end }
}
