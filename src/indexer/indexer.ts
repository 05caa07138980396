import { setTimeout as delay } from 'node:timers/promises'

import { ATTR, PENDING, type StoredSpan } from '../semconv/index.js'
import {
  findFreshParts,
  findShardFailure,
  findKnownTraces,
  findSpanSource,
  findSpreadTraces,
  findTracesOfModels,
  type FreshPart,
  freshRowsOf,
  areActive,
  countTraceRows,
  noteIndexed,
  noteOperations,
  type Positions,
  type QueryTarget,
  readPositions,
  type SpanSource,
  streamFreshRows,
} from '../store/index.js'
import type { EndedCall } from './ended-calls.js'
import { indexApart } from './index-apart.js'
import { KnownTrace, MAX_SPANS, type Written } from './known-trace.js'
import { Prices } from './prices.js'
import { readContent, readTraces, readWritten } from './read-traces.js'
import { isResting, RestingTraces } from './resting.js'
import { SharedTraces } from './shared-traces.js'
import { TraceMemory } from './trace-memory.js'

/** How far the indexer is. */
export interface IndexerStatus {
  /** When the oldest part that is not indexed was written, Unix seconds; undefined without any. */
  readonly pendingSince: number | undefined
  /** About how many rows of the span table are not indexed. */
  readonly pendingRows: number
  /** Rows of the span table that were read since the start. */
  readonly indexedRows: number
  /** Rows that were written since the start. */
  readonly writtenRows: number
  /** Traces that the mapping could not read as a whole since the start. */
  readonly failedTraces: number
  /** Traces that are to be indexed again before the rows read so far are noted as indexed. */
  readonly pendingTraces: number
  /** The error after which the indexer tries again; undefined while it works. */
  readonly failure: string | undefined
}

export interface IndexerOptions {
  readonly target: QueryTarget
  /** The same target for reading what the other shards of a cluster hold while one of them does not answer. */
  readonly partial?: QueryTarget
  /** Receives the model calls that have ended since they were read last. */
  readonly onCalls?: (calls: readonly EndedCall[]) => void
  readonly onStatus?: (status: IndexerStatus) => void
  /** Receives errors of the store; the indexer tries again. */
  readonly onError?: (error: unknown) => void
  /** A growing trace that takes longer to index is indexed less often, milliseconds. @default 20 */
  readonly cheapMs?: number
  /** The number of spans beyond which a trace is indexed by its outline. @default 200,000 */
  readonly maxSpans?: number
}

/** The status of an indexer that has just begun. */
export const NOTHING_INDEXED: IndexerStatus = {
  pendingSince: undefined,
  pendingRows: 0,
  indexedRows: 0,
  writtenRows: 0,
  failedTraces: 0,
  pendingTraces: 0,
  failure: undefined,
}

/** How long the oldest part has waited to be indexed, seconds; 0 without any. */
export const lagSeconds = ({ pendingSince }: IndexerStatus): number =>
  pendingSince === undefined ? 0 : Math.max(0, Date.now() / 1000 - pendingSince)

/** Rows of small parts that are read together. */
const GROUP_ROWS = 65_536
/** Rows after which the traces read so far are indexed. */
const BATCH_ROWS = 65_536
/** The shortest time between the starts of two passes, and the longest without a change, milliseconds. */
const BUSY_MS = 500
const IDLE_MS = 1_000
const RETRY_MS = 1_000
const PRICES_MS = 10_000
/** How long after a start, or a sign of it, another indexer may be at work. */
const OTHERS_MS = 10_000
const CHEAP_MS = 20
/** Traces that are indexed again in one pass. */
const AGAIN = 5_000

/**
 * Runs the mapping over each trace that has changed and writes its rows. It reads each part of the span table once,
 * whoever wrote it, and notes the last block only after the rows are written: what an end cuts off is done again, and
 * gives the same rows.
 */
export class Indexer {
  readonly #options: IndexerOptions
  #target: QueryTarget
  /** Whether a shard does not answer: what is indexed meanwhile is indexed again later. */
  #isPartial = false
  readonly #cheapMs: number
  readonly #maxSpans: number
  #memory = new TraceMemory()
  readonly #prices = new Prices()
  readonly #again = new Set<string>()
  #shared = new SharedTraces()
  #resting = new RestingTraces()
  /** Whether somebody waits for the pass that is under way. */
  #isUrgent = false
  #source: SpanSource | undefined
  /** The last block of each partition that this indexer has read, whatever others have indexed. */
  #positions = new Map<string, number>()
  /** The last block of each partition that is noted as indexed. */
  #noted = new Map<string, number>()
  /** The last block before this memory of traces begins. */
  #begin = 0
  /** The last block of which another indexer, or an earlier life of this one, may have written rows. */
  #contested = 0
  /** Until when another indexer may be at work, Unix milliseconds. */
  #othersUntil = 0
  #pricedAt = 0
  #waiters: ((isIndexed: boolean) => void)[] = []
  /** Whether rows that were found in this pass are still to be read. */
  #hasMissed = false
  #wake: (() => void) | undefined
  #isClosed = false
  #running: Promise<void> | undefined
  #status = NOTHING_INDEXED

  constructor(options: IndexerOptions) {
    this.#options = options
    this.#target = options.target
    this.#cheapMs = options.cheapMs ?? CHEAP_MS
    this.#maxSpans = options.maxSpans ?? MAX_SPANS
  }

  get status(): IndexerStatus {
    return this.#status
  }

  /** Indexes from now on, until it is closed. */
  start(): void {
    this.#running ??= this.#run()
  }

  /** Resolves to true when all rows that are stored now are indexed, and to false when indexing them has failed. */
  catchUp(): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#waiters.push(resolve)
      this.#wake?.()
    })
  }

  /** Indexes traces again as they are stored. */
  reindex(traceIds: Iterable<string>): void {
    for (const traceId of traceIds) this.#again.add(traceId)
    this.#wake?.()
  }

  /** Reads the prices anew, and indexes the plans again whose cost has changed. */
  reprice(): void {
    this.#pricedAt = 0
    this.#wake?.()
  }

  /** Ends after the pass that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake?.()
    await this.#running
    for (const resolve of this.#waiters.splice(0)) resolve(false)
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const begun = Date.now()
      const waiters = this.#waiters.splice(0)
      this.#isUrgent = waiters.length > 0
      this.#hasMissed = false
      let pause = IDLE_MS
      let hasFailed = false
      try {
        if (await this.#pass()) pause = BUSY_MS - (Date.now() - begun)
      } catch (error) {
        this.#fail(error)
        hasFailed = true
        pause = RETRY_MS
      }
      if (this.#hasMissed && !hasFailed && !this.#isClosed) this.#waiters = [...waiters, ...this.#waiters]
      else for (const resolve of waiters) resolve(!hasFailed && !this.#isClosed)
      if (this.#waiters.length === 0 && pause > 0) await this.#pause(pause)
    }
  }

  #fail(error: unknown): void {
    this.#status = { ...this.#status, failure: error instanceof Error ? error.message : String(error) }
    this.#options.onError?.(error)
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#isClosed) return
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    await delay(milliseconds, undefined, { signal: woken.signal, ref: false }).catch(() => undefined)
    this.#wake = undefined
  }

  /** Indexes what is fresh, and what is to be indexed again. Returns whether there was anything. */
  async #pass(): Promise<boolean> {
    const source = await this.#open()
    if (!source) return false
    const parts = await findFreshParts(this.#target, source, this.#positions)
    if (source.isSharded && (parts.length > 0 || this.#again.size > 0 || this.#isPartial)) {
      if (await this.#haveShardsReturned()) return true
    }
    await this.#readPrices(source)
    if (parts.length > 0) await this.#noticeOthers(source, parts)
    this.#report(parts)
    const groups = groupsOf(parts)
    for (const [at, group] of groups.entries()) {
      await this.#indexParts(source, group)
      this.#report(groups.slice(at + 1).flat())
      if (this.#isClosed) return true
    }
    await this.#indexRested(source)
    if (!this.#isPartial) for (const traceId of this.#shared.takeDue()) this.#again.add(traceId)
    const again = this.#isPartial ? [] : [...this.#again].slice(0, AGAIN)
    if (again.length > 0) await this.#indexAgain(source, again)
    await this.#note(source)
    if (parts.length > 0 || again.length > 0) this.#report([])
    return parts.length > 0 || again.length > 0
  }

  /** Indexes traces again, as many together as have few rows. */
  async #indexAgain(source: SpanSource, traceIds: readonly string[]): Promise<void> {
    const rowsOf = await countTraceRows(this.#target, traceIds)
    let batch: string[] = []
    let rows = 0
    for (const [at, traceId] of traceIds.entries()) {
      batch.push(traceId)
      rows += rowsOf.get(traceId) ?? 0
      const next = traceIds[at + 1]
      if (next !== undefined && rows + (rowsOf.get(next) ?? 0) <= BATCH_ROWS) continue
      for (const one of batch) this.#memory.release(one)
      await this.#index(source, new Map(batch.map((one) => [one, []])))
      for (const one of batch) this.#again.delete(one)
      batch = []
      rows = 0
      if (this.#isClosed) break
    }
  }

  /** Indexes traces that were left alone for long enough, or that somebody waits for. */
  async #indexRested(source: SpanSource): Promise<void> {
    const due = this.#resting.ids.filter((traceId) => {
      const trace = this.#memory.get(traceId)
      return this.#isUrgent || !trace || !isResting(trace, this.#cheapMs)
    })
    if (due.length === 0) return
    await this.#index(source, new Map(due.map((traceId) => [traceId, []])))
  }

  /** Notes the blocks whose traces need not be indexed again. */
  async #note(source: SpanSource): Promise<void> {
    if (this.#isPartial || this.#again.size > 0) return
    const sure = this.#shared.limit(this.#resting.limit(this.#positions))
    const changed = new Map([...sure].filter(([partition, block]) => block > (this.#noted.get(partition) ?? 0)))
    await noteIndexed(this.#target, source, changed)
    for (const [partition, block] of changed) this.#noted.set(partition, block)
    await this.#prices.note(this.#target, source)
  }

  /**
   * Asks whether all shards answer. While one does not, the traces of this shard are indexed as far as they can be
   * read, and nothing is noted. Returns whether the shard has returned: then all of that is to be done again.
   */
  async #haveShardsReturned(): Promise<boolean> {
    const { target, partial = target } = this.#options
    const failure = await findShardFailure(target)
    if (failure && !this.#isPartial) this.#fail(failure)
    const hasReturned = this.#isPartial && !failure
    this.#isPartial = failure !== undefined
    this.#target = failure ? partial : target
    if (hasReturned) {
      this.#beginAnew()
      this.#hasMissed = true
    }
    return hasReturned
  }

  /** Forgets all that was read since the last note. */
  #beginAnew(): void {
    this.#source = undefined
    this.#memory = new TraceMemory()
    this.#shared = new SharedTraces()
    this.#resting = new RestingTraces()
    this.#pricedAt = 0
  }

  async #open(): Promise<SpanSource | undefined> {
    if (this.#source) return this.#source
    const source = await findSpanSource(this.#target)
    if (source) {
      this.#positions = await readPositions(this.#target, source)
      this.#noted = new Map(this.#positions)
      this.#begin = lastOf(this.#positions)
      this.#contested = lastBlockOf(await findFreshParts(this.#target, source, this.#positions))
      this.#othersUntil = Date.now() + OTHERS_MS
    }
    this.#source = source
    return source
  }

  /** Notices an indexer elsewhere, by its having noted later blocks. */
  async #noticeOthers(source: SpanSource, parts: readonly FreshPart[]): Promise<void> {
    const noted = await readPositions(this.#target, source)
    const isAlone = [...noted].every(([partition, block]) => block <= (this.#positions.get(partition) ?? 0))
    if (isAlone) return
    this.#contested = Math.max(this.#contested, lastBlockOf(parts))
    this.#othersUntil = Date.now() + OTHERS_MS
  }

  async #readPrices(source: SpanSource): Promise<void> {
    if (Date.now() - this.#pricedAt < PRICES_MS || (this.#isPartial && this.#pricedAt > 0)) return
    const changed = await this.#prices.read(this.#target, source)
    this.#pricedAt = Date.now()
    if (changed.length > 0) this.reindex(await findTracesOfModels(this.#target, changed))
  }

  async #indexParts(source: SpanSource, parts: readonly FreshPart[]): Promise<void> {
    const names = parts.map(({ name }) => name)
    const after = parts.reduce((least, { indexed }) => Math.min(least, indexed), Number.POSITIVE_INFINITY)
    const isContested = parts.some(({ minBlock }) => minBlock <= this.#contested)
    const before = new Map(parts.map(({ partition, indexed }) => [partition, indexed]))
    let fresh = new Map<string, StoredSpan[]>()
    let rows = 0
    for await (const spans of streamFreshRows(this.#target, source, { parts: names, after })) {
      for (const span of spans) {
        const found = fresh.get(span.traceId)
        if (found) found.push(span)
        else fresh.set(span.traceId, [span])
      }
      rows += spans.length
      if (rows < BATCH_ROWS) continue
      await this.#index(source, fresh, { isContested, before })
      fresh = new Map()
      rows = 0
    }
    await this.#index(source, fresh, { isContested, before })
    await noteOperations(this.#target, source, { parts: names, after })
    // A part that was merged meanwhile may not have been read: its rows are found again, in the part that it became.
    const active = await areActive(this.#target, source, names)
    const read = new Map<string, number>()
    for (const { name, partition, maxBlock } of parts) {
      if (!active.has(name)) {
        this.#hasMissed = true
        break
      }
      read.set(partition, Math.max(maxBlock, read.get(partition) ?? 0))
    }
    for (const [partition, block] of read) this.#positions.set(partition, block)
    await this.#note(source)
    if (this.#memory.isFull) {
      this.#memory.beginAnew()
      this.#begin = lastOf(this.#positions)
    }
  }

  /** Indexes traces of which rows have come. */
  async #index(
    source: SpanSource,
    read: ReadonlyMap<string, readonly StoredSpan[]>,
    { isContested = false, before = new Map() }: { isContested?: boolean; before?: Positions } = {},
  ): Promise<void> {
    const traces = new Map<string, KnownTrace>()
    const settled = new Set<string>()
    if (isContested && Date.now() < this.#othersUntil) this.#shared.add(read.keys(), before)
    const fresh = new Map(
      [...read].filter(([traceId, rows]) => rows.length === 0 || !this.#memory.covers(traceId, rows)),
    )
    let spread = NONE
    try {
      if (source.isSharded) spread = await findSpreadTraces(this.#target, [...fresh.keys()])
      for (const traceId of spread) this.#memory.release(traceId)
      const stored = await this.#storedBefore(source, fresh, spread)
      const absent = [...fresh.keys()].filter((traceId) => !stored.has(traceId) && !this.#memory.get(traceId))
      const written = isContested ? await readWritten(this.#target, absent) : new Map<string, Written>()
      for (const [traceId, rows] of fresh) {
        const held = this.#memory.get(traceId)
        const trace = stored.get(traceId) ?? held ?? new KnownTrace(traceId, this.#maxSpans, written.get(traceId))
        let isChanged = held !== trace || rows.length === 0
        for (const row of rows) {
          if (!trace.add(row, { isWhole: false })) continue
          isChanged = true
          if (row.attributes[ATTR.spanState] !== PENDING) trace.ended.add(row.spanId)
        }
        if (!isChanged) continue
        if (rows.length > 0 && !this.#isUrgent && isResting(trace, this.#cheapMs)) {
          this.#resting.add(traceId, before)
          this.#memory.hold(trace)
        } else traces.set(traceId, trace)
      }
      const lacking = [...traces.values()].filter((trace) => trace.needsContent)
      for (const [traceId, trace] of await readContent(this.#target, lacking, this.#maxSpans)) {
        traces.set(traceId, trace)
      }
      const indexed = await indexApart(this.#target, [...traces.values()], this.#prices)
      const { affected, imports, failures, rows } = indexed
      this.reindex(affected)
      if (source.isSharded) {
        const shared = [...imports, ...spread].filter((traceId) => fresh.get(traceId)?.length !== 0)
        this.#shared.add(shared, before)
      }
      this.#options.onCalls?.(indexed.calls)
      for (const trace of traces.values()) trace.ended.clear()
      for (const traceId of indexed.settled) settled.add(traceId)
      this.#status = {
        ...this.#status,
        indexedRows: this.#status.indexedRows + [...read.values()].reduce((sum, { length }) => sum + length, 0),
        writtenRows: this.#status.writtenRows + rows,
        failedTraces: this.#status.failedTraces + failures,
      }
    } catch (error) {
      // What was added and not written is read again.
      for (const traceId of fresh.keys()) this.#memory.release(traceId)
      throw error
    }
    for (const [traceId, trace] of traces) {
      trace.indexedAt = Date.now()
      this.#resting.delete(traceId)
      if (settled.has(traceId)) this.#memory.settle(trace)
      else this.#memory.hold(trace)
    }
    for (const traceId of spread) this.#memory.release(traceId)
    this.#memory.trim()
  }

  /** Reads those traces that are not held and have rows from before. */
  async #storedBefore(
    source: SpanSource,
    fresh: ReadonlyMap<string, readonly StoredSpan[]>,
    spread: ReadonlySet<string>,
  ): Promise<Map<string, KnownTrace>> {
    const absent = [...fresh.keys()].filter((traceId) => !this.#memory.get(traceId))
    const isSeen = (traceId: string) =>
      this.#memory.hasSeen(traceId) || spread.has(traceId) || fresh.get(traceId)?.length === 0
    const seen = absent.filter(isSeen)
    const unseen = absent.filter((traceId) => !isSeen(traceId))
    const known =
      this.#begin === 0
        ? new Set<string>()
        : await findKnownTraces(this.#target, source, { traceIds: unseen, block: this.#begin })
    return readTraces(this.#target, [...seen, ...known], this.#maxSpans)
  }

  #report(pending: readonly FreshPart[]): void {
    const oldest = pending.reduce((least, { modified }) => Math.min(least, modified), Number.POSITIVE_INFINITY)
    this.#status = {
      ...this.#status,
      pendingSince: pending.length === 0 ? undefined : oldest,
      pendingRows: freshRowsOf(pending),
      pendingTraces: this.#again.size + this.#shared.size + this.#resting.size,
      failure: this.#isPartial ? this.#status.failure : undefined,
    }
    this.#options.onStatus?.(this.#status)
  }
}

const NONE: ReadonlySet<string> = new Set()

const lastBlockOf = (parts: readonly FreshPart[]): number =>
  parts.reduce((last, { maxBlock }) => Math.max(last, maxBlock), 0)

const lastOf = (positions: Positions): number =>
  [...positions.values()].reduce((last, block) => Math.max(last, block), 0)

/** Parts that are read together: whole small ones; one of which some blocks were read stands alone. */
function groupsOf(parts: readonly FreshPart[]): FreshPart[][] {
  const groups: FreshPart[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const part of parts) {
    const isWhole = part.minBlock > part.indexed
    const group = groups.at(-1)
    if (group && isWhole && rows + part.rows <= GROUP_ROWS) {
      group.push(part)
      rows += part.rows
    } else {
      groups.push([part])
      rows = isWhole ? part.rows : Number.POSITIVE_INFINITY
    }
  }
  return groups
}
