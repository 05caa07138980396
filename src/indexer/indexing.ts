import { ATTR, PENDING, type StoredSpan } from '../semconv/index.js'
import {
  areActive,
  countTraceRows,
  findKnownTraces,
  findShardFailure,
  findSpanSource,
  findSpreadTraces,
  findTracesOfModels,
  type FreshPart,
  freshRowsOf,
  type Positions,
  type QueryTarget,
  streamFreshRows,
} from '../store/index.js'
import { BlockPositions } from './block-positions.js'
import type { EndedCall } from './ended-calls.js'
import { indexApart } from './index-apart.js'
import { KnownTrace, MAX_SPANS, type Written } from './known-trace.js'
import { Operations } from './operations.js'
import { groupsOf, isUnread } from './part-groups.js'
import { Prices } from './prices.js'
import { readContent, readTraces, readWritten } from './read-traces.js'
import { isResting, RestingTraces } from './resting.js'
import { SharedTraces } from './shared-traces.js'
import { type IndexerStatus, NOTHING_INDEXED } from './status.js'
import { TraceMemory } from './trace-memory.js'

export interface IndexingOptions {
  readonly target: QueryTarget
  /** The same target for reading what the other shards of a cluster store while one of them does not answer. */
  readonly partial?: QueryTarget
  /** Receives the model calls that have ended since they were read last. */
  readonly onCalls?: (calls: readonly EndedCall[]) => void
  readonly onStatus?: (status: IndexerStatus) => void
  /** Receives errors of the store; the indexer retries. */
  readonly onError?: (error: unknown) => void
  /** A growing trace that takes longer to index is indexed less often, milliseconds. @default 20 */
  readonly cheapMs?: number
  /** The number of spans beyond which a trace is indexed by its outline. @default 200,000 */
  readonly maxSpans?: number
}

/** The outcome of a pass. */
export interface Pass {
  /** Whether there was anything to index. */
  readonly isBusy: boolean
  /** Whether rows that the pass found are still to be read. */
  readonly isIncomplete: boolean
}

/** Rows after which the traces read so far are indexed. */
const BATCH_ROWS = 65_536
const PRICES_MS = 10_000
const CHEAP_MS = 20
/** The maximum number of traces that a pass indexes again. */
const AGAIN = 5_000

/**
 * Indexes the traces with new rows. A pass reads each part of the span table once, whoever wrote it, and notes its last
 * block only after the rows are written: work that a crash cuts off is repeated, and gives the same rows.
 */
export class Indexing {
  readonly #options: IndexingOptions
  readonly #cheapMs: number
  readonly #maxSpans: number
  readonly #prices = new Prices()
  readonly #operations = new Operations()
  readonly #again = new Set<string>()
  #target: QueryTarget
  /** Whether a shard does not answer: everything indexed meanwhile is indexed again later. */
  #isPartial = false
  #positions: BlockPositions | undefined
  #memory = new TraceMemory()
  #shared = new SharedTraces()
  #resting = new RestingTraces()
  #pricedAt = 0
  /** Whether a caller waits for the current pass. */
  #isUrgent = false
  #isIncomplete = false
  #isStopped = false
  #status = NOTHING_INDEXED

  constructor(options: IndexingOptions) {
    this.#options = options
    this.#target = options.target
    this.#cheapMs = options.cheapMs ?? CHEAP_MS
    this.#maxSpans = options.maxSpans ?? MAX_SPANS
  }

  get status(): IndexerStatus {
    return this.#status
  }

  /** Reports an error after which a later pass retries. */
  fail(error: unknown): void {
    this.#status = { ...this.#status, failure: error instanceof Error ? error.message : String(error) }
    this.#options.onError?.(error)
  }

  /** Lets the next passes index stored traces again. */
  reindex(traceIds: Iterable<string>): void {
    for (const traceId of traceIds) this.#again.add(traceId)
  }

  /** Lets the next pass read the prices. */
  reprice(): void {
    this.#pricedAt = 0
  }

  /** Ends the current pass after the parts that it is indexing. */
  stop(): void {
    this.#isStopped = true
  }

  /** Indexes the traces with new rows and those that have to be indexed again. Throws the store's errors. */
  async pass({ isUrgent }: { readonly isUrgent: boolean }): Promise<Pass> {
    this.#isUrgent = isUrgent
    this.#isIncomplete = false
    const isBusy = await this.#pass()
    return { isBusy, isIncomplete: this.#isIncomplete }
  }

  async #pass(): Promise<boolean> {
    const positions = await this.#open()
    if (!positions) return false
    const parts = await positions.findFresh(this.#target)
    if (positions.source.isSharded && (parts.length > 0 || this.#again.size > 0 || this.#isPartial)) {
      if (await this.#haveShardsReturned()) return true
    }
    await this.#readPrices(positions)
    this.#report(parts)
    const groups = groupsOf(parts)
    for (const [at, group] of groups.entries()) {
      await this.#indexParts(positions, group)
      this.#report(groups.slice(at + 1).flat())
      if (this.#isStopped) break
    }
    if (!this.#isStopped) await this.#indexRested(positions)
    const again = this.#isStopped ? [] : this.#dueAgain()
    if (again.length > 0) await this.#indexAgain(positions, again)
    const isBusy = parts.length > 0 || again.length > 0
    await this.#note(positions, { isUrgent: this.#isUrgent || this.#isStopped || !isBusy })
    if (isBusy && !this.#isStopped) this.#report([])
    return isBusy
  }

  async #open(): Promise<BlockPositions | undefined> {
    if (this.#positions) return this.#positions
    const source = await findSpanSource(this.#target)
    if (source) this.#positions = await BlockPositions.open(this.#target, source)
    return this.#positions
  }

  /**
   * Checks whether all shards answer. While one does not, the traces of this shard are indexed as far as they can be
   * read, and nothing is noted. Returns whether the shard has returned: then all of that is indexed again.
   */
  async #haveShardsReturned(): Promise<boolean> {
    const { target, partial = target } = this.#options
    const failure = await findShardFailure(target)
    if (failure && !this.#isPartial) this.fail(failure)
    const hasReturned = this.#isPartial && !failure
    this.#isPartial = failure !== undefined
    this.#target = failure ? partial : target
    if (hasReturned) {
      this.#beginAnew()
      this.#isIncomplete = true
    }
    return hasReturned
  }

  /** Forgets everything that was read since the last note. */
  #beginAnew(): void {
    this.#positions = undefined
    this.#memory = new TraceMemory()
    this.#shared = new SharedTraces()
    this.#resting = new RestingTraces()
    this.#pricedAt = 0
  }

  async #readPrices({ source }: BlockPositions): Promise<void> {
    if (Date.now() - this.#pricedAt < PRICES_MS || (this.#isPartial && this.#pricedAt > 0)) return
    const changed = await this.#prices.read(this.#target, source)
    this.#pricedAt = Date.now()
    if (changed.length > 0) this.reindex(await findTracesOfModels(this.#target, changed))
  }

  async #indexParts(positions: BlockPositions, parts: readonly FreshPart[]): Promise<void> {
    const { source } = positions
    const names = parts.map(({ name }) => name)
    const after = parts.reduce((least, { indexed }) => Math.min(least, indexed), Number.POSITIVE_INFINITY)
    const isContested = positions.isContested(parts)
    const before = new Map(parts.map(({ partition, indexed }) => [partition, indexed]))
    let fresh = new Map<string, StoredSpan[]>()
    let batch = 0
    let read = 0
    for await (const spans of streamFreshRows(this.#target, source, { parts: names, after })) {
      for (const span of spans) {
        this.#operations.add(span)
        const found = fresh.get(span.traceId)
        if (found) found.push(span)
        else fresh.set(span.traceId, [span])
      }
      batch += spans.length
      read += spans.length
      if (batch < BATCH_ROWS) continue
      await this.#index(positions, fresh, { isContested, before })
      fresh = new Map()
      batch = 0
    }
    await this.#index(positions, fresh, { isContested, before })
    await this.#operations.note(this.#target, source)
    positions.advance(await this.#completeOf(positions, parts, read))
    await this.#note(positions, { isUrgent: false })
    if (this.#memory.isFull) {
      this.#memory.beginAnew()
      positions.beginAnew()
    }
  }

  /**
   * Returns the parts all rows of which were read. A part that was merged before it was read is missing; its rows are
   * found again in the merged part.
   */
  async #completeOf({ source }: BlockPositions, parts: readonly FreshPart[], read: number): Promise<FreshPart[]> {
    if (parts.every(isUnread) && read === freshRowsOf(parts)) return [...parts]
    const active = await areActive(
      this.#target,
      source,
      parts.map(({ name }) => name),
    )
    const first = parts.findIndex(({ name }) => !active.has(name))
    if (first < 0) return [...parts]
    this.#isIncomplete = true
    return parts.slice(0, first)
  }

  /** Indexes traces that have rested for long enough, or all resting ones if a caller waits. */
  async #indexRested(positions: BlockPositions): Promise<void> {
    const due = this.#resting.ids.filter((traceId) => {
      const trace = this.#memory.get(traceId)
      return this.#isUrgent || !trace || !isResting(trace, this.#cheapMs)
    })
    if (due.length > 0) await this.#index(positions, new Map(due.map((traceId) => [traceId, []])))
  }

  /** Returns the traces to index again in this pass. */
  #dueAgain(): string[] {
    if (this.#isPartial) return []
    this.reindex(this.#shared.takeDue())
    return [...this.#again].slice(0, AGAIN)
  }

  /** Indexes traces again, in batches of limited size. */
  async #indexAgain(positions: BlockPositions, traceIds: readonly string[]): Promise<void> {
    const rowsOf = await countTraceRows(this.#target, traceIds)
    let batch: string[] = []
    let rows = 0
    for (const [at, traceId] of traceIds.entries()) {
      batch.push(traceId)
      rows += rowsOf.get(traceId) ?? 0
      const next = traceIds[at + 1]
      if (next !== undefined && rows + (rowsOf.get(next) ?? 0) <= BATCH_ROWS) continue
      for (const one of batch) this.#memory.release(one)
      await this.#index(positions, new Map(batch.map((one) => [one, []])))
      for (const one of batch) this.#again.delete(one)
      batch = []
      rows = 0
      if (this.#isStopped) break
    }
  }

  /** Notes the blocks whose traces need not be indexed again. */
  async #note(positions: BlockPositions, options: { readonly isUrgent: boolean }): Promise<void> {
    if (this.#isPartial || this.#again.size > 0) return
    const sure = this.#shared.limit(this.#resting.limit(positions.read))
    await positions.note(this.#target, sure, options)
    await this.#prices.note(this.#target, positions.source)
  }

  /** Indexes traces with new rows; those without are read again. */
  async #index(
    positions: BlockPositions,
    read: ReadonlyMap<string, readonly StoredSpan[]>,
    { isContested = false, before = new Map() }: { isContested?: boolean; before?: Positions } = {},
  ): Promise<void> {
    const { source } = positions
    if (isContested && positions.hasOthers) this.#shared.add(read.keys(), before)
    const fresh = new Map(
      [...read].filter(([traceId, rows]) => rows.length === 0 || !this.#memory.covers(traceId, rows)),
    )
    let traces: Map<string, KnownTrace>
    let spread = NONE
    let settled: ReadonlySet<string>
    try {
      if (source.isSharded) spread = await findSpreadTraces(this.#target, [...fresh.keys()])
      for (const traceId of spread) this.#memory.release(traceId)
      traces = await this.#changedTraces(positions, fresh, { spread, isContested, before })
      const indexed = await indexApart(this.#target, [...traces.values()], this.#prices)
      this.reindex(indexed.affected)
      if (source.isSharded) {
        const shared = [...indexed.imports, ...spread].filter((traceId) => fresh.get(traceId)?.length !== 0)
        this.#shared.add(shared, before)
      }
      this.#options.onCalls?.(indexed.calls)
      settled = new Set(indexed.settled)
      this.#status = {
        ...this.#status,
        indexedRows: this.#status.indexedRows + [...read.values()].reduce((sum, { length }) => sum + length, 0),
        writtenRows: this.#status.writtenRows + indexed.rows,
        failedTraces: this.#status.failedTraces + indexed.failures,
      }
    } catch (error) {
      // Rows that were added and not written are read again.
      for (const traceId of fresh.keys()) this.#memory.release(traceId)
      throw error
    }
    for (const [traceId, trace] of traces) {
      trace.noteIndexed()
      this.#resting.delete(traceId)
      if (settled.has(traceId)) this.#memory.settle(trace)
      else this.#memory.hold(trace)
    }
    for (const traceId of spread) this.#memory.release(traceId)
    this.#memory.trim()
  }

  /** Adds new rows to their traces. Returns the traces that change by them, except for those that rest. */
  async #changedTraces(
    positions: BlockPositions,
    fresh: ReadonlyMap<string, readonly StoredSpan[]>,
    {
      spread,
      isContested,
      before,
    }: { readonly spread: ReadonlySet<string>; readonly isContested: boolean; readonly before: Positions },
  ): Promise<Map<string, KnownTrace>> {
    const traces = new Map<string, KnownTrace>()
    const stored = await this.#storedBefore(positions, fresh, spread)
    const absent = [...fresh.keys()].filter((traceId) => !stored.has(traceId) && !this.#memory.get(traceId))
    const written = isContested
      ? await readWritten(this.#target, absent, { hasSpans: true })
      : new Map<string, Written>()
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
    for (const [traceId, trace] of await readContent(this.#target, lacking, this.#maxSpans)) traces.set(traceId, trace)
    return traces
  }

  /** Reads the traces that are not in memory and have rows in earlier blocks. */
  async #storedBefore(
    { source, begin }: BlockPositions,
    fresh: ReadonlyMap<string, readonly StoredSpan[]>,
    spread: ReadonlySet<string>,
  ): Promise<Map<string, KnownTrace>> {
    const absent = [...fresh.keys()].filter((traceId) => !this.#memory.get(traceId))
    const isSeen = (traceId: string) =>
      this.#memory.hasSeen(traceId) || spread.has(traceId) || fresh.get(traceId)?.length === 0
    const unseen = absent.filter((traceId) => !isSeen(traceId))
    const known =
      begin === 0 || unseen.length === 0
        ? NONE
        : await findKnownTraces(this.#target, source, { traceIds: unseen, block: begin })
    return readTraces(this.#target, [...absent.filter(isSeen), ...known], this.#maxSpans)
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
