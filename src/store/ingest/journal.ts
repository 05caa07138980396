import { context, type Context } from '@opentelemetry/api'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { inSharedSpan } from '../../base/own-spans.js'
import { PlanspanError } from '../../error.js'
import type { QueryTarget } from '../client/query.js'
import type { Load } from '../metrics/ingest-meter.js'
import type { WriteRequest } from './frame.js'
import { GroupCommit } from './group-commit.js'
import { STORED, warnOfLostSpans, type WriteResult } from './isolate.js'
import { dropSegment, insertIntoJournal, SEGMENT_MS } from './journal-table.js'

/** How long a request in the journal may wait for others before it is inserted into the span tables, milliseconds. */
const LINGER_MS = 500
/** The delay before a failed insert into the span tables is retried, milliseconds. */
const RETRY_MS = 1000
/** The maximum size of the requests that are in the journal but not in the span tables. */
const MAX_SPANS = 8192
const MAX_BYTES = 8 << 20

/** The failures that readers wait out: ClickHouse does not respond, in which case reading fails, too, or is busy. */
const PASSING: ReadonlySet<string> = new Set(['store_unreachable', 'store_busy'])

/** Inserts requests into the span tables. */
type Lane = GroupCommit<WriteRequest, WriteResult>

/** Requests that are dropped from the journal together. */
interface Segment {
  readonly name: string
  readonly begun: number
  /** The number of requests that are not in the span tables yet. */
  open: number
}

interface Entry {
  readonly request: WriteRequest
  /** Set when the insert into the journal begins. */
  segment?: Segment
}

/**
 * Acknowledges small requests as soon as ClickHouse has stored them in a table that no view reads. An insert into that
 * table takes some milliseconds; an insert into the span tables takes many times as long, even for a few spans. One
 * insert then writes many journaled requests to the span tables.
 */
export class Journal {
  private readonly target: QueryTarget
  private readonly tracer: InsertTracer
  private readonly inserts: GroupCommit<Entry, WriteResult>
  /** The requests that are not in the span tables yet, each with its arrival. */
  private readonly pending = new Map<Promise<unknown>, number>()
  private segment = newSegment()
  private spans = 0
  private bytes = 0
  private isClosing = false
  private failure: unknown
  private readonly onFailure = new Set<() => void>()

  constructor(target: QueryTarget, tracer: InsertTracer) {
    this.target = target
    this.tracer = tracer
    this.inserts = new GroupCommit({
      commit: (items) => this.insert(items),
      size: ({ request: { spans, body } }) => ({ spans, bytes: body.length }),
      maxBatchSpans: MAX_SPANS,
      maxBatchBytes: MAX_BYTES,
      maxQueuedSpans: MAX_SPANS,
      maxQueuedBytes: MAX_BYTES,
      maxWaitMs: Number.POSITIVE_INFINITY,
      quietMs: 0,
    })
  }

  /** Whether the journal has room for a request. */
  hasRoom({ spans, body }: WriteRequest): boolean {
    return this.spans + spans <= MAX_SPANS && this.bytes + body.length <= MAX_BYTES && !this.isClosing
  }

  /** The size of the requests that are not in the span tables yet. */
  get load(): Load {
    const [since] = this.pending.values()
    return { spans: this.spans, bytes: this.bytes, since }
  }

  /** Resolves when a request is in the journal or in the span tables. If both inserts fail, throws the lane's error. */
  add(request: WriteRequest, lane: Lane): Promise<WriteResult> {
    const entry: Entry = { request }
    const isJournaled = this.inserts.add(entry).then(
      () => true,
      () => {
        lane.flush()
        return false
      },
    )
    const stored = this.store(request, lane, isJournaled)
    this.track(entry, this.isFinished(stored, isJournaled))
    return Promise.race([stored, isJournaled.then((is) => (is ? STORED : stored))])
  }

  /**
   * Resolves when all requests of the journal are in the span tables, or as soon as the tables reject them: then they
   * stay in the journal until a retry succeeds.
   */
  async settled(): Promise<void> {
    const stored = Promise.all(this.pending.keys())
    if (this.failure !== undefined) return
    let fail = (): void => {}
    const failed = new Promise<void>((resolve) => (fail = resolve))
    this.onFailure.add(fail)
    await Promise.race([stored, failed])
    this.onFailure.delete(fail)
  }

  /** Resolves when a last attempt to store each request has ended; requests that fail stay in the journal. */
  async close(): Promise<void> {
    this.isClosing = true
    await Promise.all(this.pending.keys())
    await this.inserts.close()
  }

  /** Inserts a request into the span tables. Retries a journaled request until it succeeds or the journal closes. */
  private async store(request: WriteRequest, lane: Lane, isJournaled: Promise<boolean>): Promise<WriteResult> {
    for (let patienceMs = LINGER_MS; ; patienceMs = 0) {
      try {
        const result = await lane.add(request, { patienceMs })
        this.failure = undefined
        if (result.rejectedSpans > 0 && (await isJournaled)) warnOfLostSpans(result)
        return result
      } catch (error) {
        if (this.isClosing || !(await isJournaled)) throw error
        this.fail(error)
      }
      await delay(RETRY_MS)
    }
  }

  /** Releases the readers that wait for the tables, unless a retry may succeed soon. */
  private fail(error: unknown): void {
    if (error instanceof PlanspanError && PASSING.has(error.code)) return
    this.failure = error
    for (const release of this.onFailure) release()
  }

  private async insert(entries: readonly Entry[]): Promise<WriteResult[]> {
    const segment = this.currentSegment()
    segment.open += entries.length
    for (const entry of entries) entry.segment = segment
    const requests = entries.map(({ request }) => request)
    await this.tracer.trace('insert into journal', requests, () =>
      insertIntoJournal(this.target, segment.name, requests),
    )
    return entries.map(() => STORED)
  }

  private currentSegment(): Segment {
    if (performance.now() - this.segment.begun > SEGMENT_MS) this.segment = newSegment()
    return this.segment
  }

  /** Whether the journal may drop a request: the span tables contain it, or the journal has not acknowledged it. */
  private async isFinished(stored: Promise<WriteResult>, isJournaled: Promise<boolean>): Promise<boolean> {
    const isStored = await stored.then(
      () => true,
      () => false,
    )
    return !(await isJournaled) || isStored
  }

  private track(entry: Entry, finished: Promise<boolean>): void {
    const { spans, body } = entry.request
    this.spans += spans
    this.bytes += body.length
    const ended = finished.then((isFinished) => {
      this.pending.delete(ended)
      this.spans -= spans
      this.bytes -= body.length
      // Need not be awaited: if the segment remains, storing its spans once more changes nothing.
      if (isFinished && entry.segment) void this.release(entry.segment)
    })
    this.pending.set(ended, performance.now())
  }

  /** Removes a request from its segment, and drops the segment with its last request. */
  private async release(segment: Segment): Promise<void> {
    if (this.segment === segment) this.segment = newSegment()
    if (--segment.open > 0) return
    // If this fails, the process that next takes over orphaned segments drops the segment.
    await dropSegment(this.target, segment.name).catch(() => {})
  }
}

const newSegment = (): Segment => ({ name: randomUUID(), begun: performance.now(), open: 0 })

/** Traces inserts below the spans of the requests that they store. */
export class InsertTracer {
  readonly #contexts = new WeakMap<WriteRequest, Context>()

  /** Stores the active context as that of a request. */
  remember(request: WriteRequest): void {
    this.#contexts.set(request, context.active())
  }

  /** Runs an insert of requests in a span. Rethrows the errors of the insert. */
  trace<Result>(name: string, requests: readonly WriteRequest[], insert: () => Promise<Result>): Promise<Result> {
    const spans = requests.reduce((sum, request) => sum + request.spans, 0)
    const attributes = { 'planspan.insert.requests': requests.length, 'planspan.insert.spans': spans }
    const contexts = requests.flatMap((request) => this.#contexts.get(request) ?? [])
    return inSharedSpan(name, attributes, contexts, insert)
  }
}
