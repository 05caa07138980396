import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import type { Load } from '../metrics/ingest-meter.js'
import type { QueryTarget } from '../client/query.js'
import type { WriteRequest } from './frame.js'
import { GroupCommit } from './group-commit.js'
import type { InsertSpans } from './insert-spans.js'
import { STORED, tellOfLoss, type WriteResult } from './isolate.js'
import { dropSegment, insertIntoJournal, SEGMENT_MS } from './journal-table.js'

/** How long what is in the journal may wait for others on its way to the tables, milliseconds. */
const LINGER_MS = 500
/** The pause before what the tables could not take is sent there again, milliseconds. */
const RETRY_MS = 1000
/** The most that is on the way from the journal to the tables. */
const MAX_SPANS = 8192
const MAX_BYTES = 8 << 20

/** What brings requests to the tables. */
type Lane = GroupCommit<WriteRequest, WriteResult>

/** Requests that are dropped together. */
interface Segment {
  readonly name: string
  readonly begun: number
  /** Those that have not come to the tables. */
  open: number
}

interface Entry {
  readonly request: WriteRequest
  /** Once it is being inserted. */
  segment?: Segment
}

/**
 * Acknowledges small requests as soon as ClickHouse has them in a table that no view reads: an insert there takes some
 * milliseconds, one into the tables for spans many times as long, however few spans it has. From there many of them go
 * to the tables with one insert, as all requests do.
 */
export class Journal {
  private readonly target: QueryTarget
  private readonly inserting: InsertSpans
  private readonly inserts: GroupCommit<Entry, WriteResult>
  /** What has not come to the tables, and since when. */
  private readonly underWay = new Map<Promise<unknown>, number>()
  private segment = newSegment()
  private spans = 0
  private bytes = 0
  private isClosing = false

  constructor(target: QueryTarget, inserting: InsertSpans) {
    this.target = target
    this.inserting = inserting
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

  /** Whether a request has room in the journal. */
  hasRoom({ spans, body }: WriteRequest): boolean {
    return this.spans + spans <= MAX_SPANS && this.bytes + body.length <= MAX_BYTES && !this.isClosing
  }

  /** What is on the way from the journal to the tables. */
  get load(): Load {
    const [since] = this.underWay.values()
    return { spans: this.spans, bytes: this.bytes, since }
  }

  /** Resolves when a request is in the journal or in the tables. Throws what the lane throws, if it is in neither. */
  take(request: WriteRequest, lane: Lane): Promise<WriteResult> {
    const entry: Entry = { request }
    const isKept = this.inserts.add(entry).then(
      () => true,
      () => {
        lane.hurry()
        return false
      },
    )
    const stored = this.store(request, lane, isKept)
    this.enter(entry, this.done(stored, isKept))
    return Promise.race([stored, isKept.then((is) => (is ? STORED : stored))])
  }

  /** Resolves when all that is in the journal is in the tables. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay.keys())
  }

  /** Resolves when all is in the tables; what they don't take now stays in the journal. */
  async close(): Promise<void> {
    this.isClosing = true
    await this.settled()
    await this.inserts.close()
  }

  /** Brings a request to the tables: once it is in the journal, as often as it takes. */
  private async store(request: WriteRequest, lane: Lane, isKept: Promise<boolean>): Promise<WriteResult> {
    for (let patienceMs = LINGER_MS; ; patienceMs = 0) {
      try {
        const result = await lane.add(request, { patienceMs })
        if (result.rejectedSpans > 0 && (await isKept)) tellOfLoss(result)
        return result
      } catch (error) {
        if (this.isClosing || !(await isKept)) throw error
      }
      await delay(RETRY_MS)
    }
  }

  private async insert(entries: readonly Entry[]): Promise<WriteResult[]> {
    const segment = this.currentSegment()
    segment.open += entries.length
    for (const entry of entries) entry.segment = segment
    const requests = entries.map(({ request }) => request)
    await this.inserting.tell('insert into journal', requests, () =>
      insertIntoJournal(this.target, segment.name, requests),
    )
    return entries.map(() => STORED)
  }

  private currentSegment(): Segment {
    if (performance.now() - this.segment.begun > SEGMENT_MS) this.segment = newSegment()
    return this.segment
  }

  /** Whether the journal may forget a request: the tables have it, or nobody was told that the journal does. */
  private async done(stored: Promise<WriteResult>, isKept: Promise<boolean>): Promise<boolean> {
    const isStored = await stored.then(
      () => true,
      () => false,
    )
    return !(await isKept) || isStored
  }

  private enter(entry: Entry, done: Promise<boolean>): void {
    const { spans, body } = entry.request
    this.spans += spans
    this.bytes += body.length
    const left = done.then((isDone) => {
      this.underWay.delete(left)
      this.spans -= spans
      this.bytes -= body.length
      // Not waited for: what is found there again changes nothing.
      if (isDone && entry.segment) void this.leave(entry.segment)
    })
    this.underWay.set(left, performance.now())
  }

  private async leave(segment: Segment): Promise<void> {
    if (this.segment === segment) this.segment = newSegment()
    if (--segment.open > 0) return
    // Else whoever finds it later drops it.
    await dropSegment(this.target, segment.name).catch(() => {})
  }
}

const newSegment = (): Segment => ({ name: randomUUID(), begun: performance.now(), open: 0 })
