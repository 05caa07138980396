import { PlanspanError } from '../error.js'
import type { StoredSpan } from '../semconv/index.js'
import {
  areActive,
  countTraceRows,
  findShardFailure,
  findSpanSource,
  findTracesOfModels,
  type FreshPart,
  freshRowsOf,
  type QueryTarget,
  streamFreshRows,
  withDisk,
} from '../store/index.js'
import { BlockPositions, groupsOf } from './block-positions.js'
import { ChangedTraces, type ChangedTracesOptions, type ReadRows } from './changed-traces.js'
import { Operations } from './operations.js'
import { Prices } from './known-prices.js'
import { type IndexerStatus, NOTHING_INDEXED } from './status.js'

export interface IndexingOptions extends Omit<ChangedTracesOptions, 'prices'> {
  readonly target: QueryTarget
  /** The target while a shard of a cluster does not respond: it reads from the other shards. @default `target` */
  readonly partial?: QueryTarget
  /** Receives the models of the calls of indexed traces. */
  readonly onModels?: (models: ReadonlySet<string>) => void
  readonly onStatus?: (status: IndexerStatus) => void
  /** Receives errors of the store; the indexer retries. */
  readonly onError?: (error: unknown) => void
}

/** The number of rows after which the traces read so far are indexed. */
const BATCH_ROWS = 65_536
const PRICES_MS = 10_000
/** The maximum number of traces that a pass indexes again. */
const AGAIN = 5_000

/**
 * Indexes the traces with new rows. A pass reads each new part of the span table once, and records its last block only
 * after the rows are written. Work that a crash interrupts is repeated, and produces the same rows.
 */
export class Indexing {
  readonly #options: IndexingOptions
  readonly #prices = new Prices()
  readonly #operations = new Operations()
  readonly #again = new Set<string>()
  #target: QueryTarget
  /** Whether a shard does not respond. Everything that is indexed meanwhile is indexed again later. */
  #isPartial = false
  #positions: BlockPositions | undefined
  #traces: ChangedTraces
  #pricedAt = 0
  /** Whether a caller waits for the current pass. */
  #isUrgent = false
  /** Whether rows that the current pass found still have to be read. */
  #isIncomplete = false
  #isStopped = false
  #status = NOTHING_INDEXED

  constructor(options: IndexingOptions) {
    this.#options = options
    this.#target = options.target
    this.#traces = this.#noTraces()
  }

  get status(): IndexerStatus {
    return this.#status
  }

  /** Reports an error after which a later pass retries. */
  async fail(thrown: unknown): Promise<void> {
    const error = thrown instanceof PlanspanError ? await withDisk(thrown, this.#target) : thrown
    this.#status = { ...this.#status, failure: error instanceof Error ? error.message : String(error) }
    this.#options.onError?.(error)
  }

  /** Makes the next passes index stored traces again. */
  reindex(traceIds: Iterable<string>): void {
    for (const traceId of traceIds) this.#again.add(traceId)
  }

  /** Makes the next pass read the prices. */
  reprice(): void {
    this.#pricedAt = 0
  }

  /** Ends the current pass after the parts that it is indexing. */
  stop(): void {
    this.#isStopped = true
  }

  /** Records the positions after the last pass. An error is only reported, because the next run repeats the work. */
  async noteLast(): Promise<void> {
    try {
      if (this.#positions) await this.#note(this.#positions, { isUrgent: true })
    } catch (error) {
      await this.fail(error)
    }
  }

  /**
   * Indexes the traces with new rows and those that have to be indexed again. Returns false if rows that the pass found
   * still have to be read. Throws the store's errors.
   */
  async pass({ isUrgent }: { readonly isUrgent: boolean }): Promise<boolean> {
    this.#isUrgent = isUrgent
    this.#isIncomplete = false
    await this.#pass()
    return !this.#isIncomplete
  }

  async #pass(): Promise<void> {
    const positions = await this.#open()
    if (!positions) return
    const parts = await positions.findFresh(this.#target)
    if (positions.source.isSharded && (parts.length > 0 || this.#again.size > 0 || this.#isPartial)) {
      if (await this.#haveShardsReturned()) return
    }
    await this.#readPrices(positions)
    this.#report(parts)
    const groups = groupsOf(parts)
    for (const [at, group] of groups.entries()) {
      await this.#indexParts(positions, group)
      this.#report(groups.slice(at + 1).flat())
      if (this.#isStopped) break
    }
    if (!this.#isStopped) {
      await this.#index(positions, { rows: withoutRows(this.#traces.rested({ isUrgent: this.#isUrgent })), parts: [] })
    }
    const again = this.#isStopped ? [] : this.#dueAgain()
    if (again.length > 0) await this.#indexAgain(positions, again)
    const isBusy = parts.length > 0 || again.length > 0
    await this.#note(positions, { isUrgent: this.#isUrgent || this.#isStopped || !isBusy })
    if (isBusy && !this.#isStopped) this.#report([])
  }

  async #open(): Promise<BlockPositions | undefined> {
    if (this.#positions) return this.#positions
    const source = await findSpanSource(this.#target)
    if (source) this.#positions = await BlockPositions.open(this.#target, source)
    return this.#positions
  }

  /**
   * Checks whether all shards respond. While one does not, the traces of this shard are indexed as far as they can be
   * read, and no position is recorded. Returns true when the shard has returned: then these traces are indexed again.
   */
  async #haveShardsReturned(): Promise<boolean> {
    const { target, partial = target } = this.#options
    const failure = await findShardFailure(target)
    if (failure && !this.#isPartial) await this.fail(failure)
    const hasReturned = this.#isPartial && !failure
    this.#isPartial = failure !== undefined
    this.#target = failure ? partial : target
    if (hasReturned) {
      this.#beginAnew()
      this.#isIncomplete = true
    }
    return hasReturned
  }

  /** Forgets everything that was read since the positions were recorded. */
  #beginAnew(): void {
    this.#positions = undefined
    this.#traces = this.#noTraces()
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
    let fresh = new Map<string, StoredSpan[]>()
    let batch = 0
    const seen = new Set<string>()
    for await (const read of streamFreshRows(this.#target, source, { parts: names, after })) {
      for (const name of read.parts) seen.add(name)
      for (const span of read.spans) {
        this.#operations.add(span)
        const found = fresh.get(span.traceId)
        if (found) found.push(span)
        else fresh.set(span.traceId, [span])
      }
      batch += read.spans.length
      if (batch < BATCH_ROWS) continue
      await this.#index(positions, { rows: fresh, parts })
      fresh = new Map()
      batch = 0
    }
    await this.#index(positions, { rows: fresh, parts })
    await this.#operations.note(this.#target, source)
    positions.advance(await this.#completeOf(positions, parts, seen))
    await this.#note(positions, { isUrgent: false })
    if (this.#traces.forgetIfFull()) positions.beginAnew()
  }

  /**
   * Returns the parts that were read, up to the first missing part of each partition. A part is missing if it was
   * merged before it was read; its rows are found again in the merged part. An active part without a seen row is empty.
   */
  async #completeOf(
    { source }: BlockPositions,
    parts: readonly FreshPart[],
    seen: ReadonlySet<string>,
  ): Promise<FreshPart[]> {
    const unseen = parts.filter(({ name }) => !seen.has(name)).map(({ name }) => name)
    const active = unseen.length === 0 ? unseen : await areActive(this.#target, source, unseen)
    const isRead = new Set([...seen, ...active])
    const missing = new Set<string>()
    const complete = parts.filter(({ name, partition }) => {
      if (!isRead.has(name)) missing.add(partition)
      return !missing.has(partition)
    })
    this.#isIncomplete ||= missing.size > 0
    return complete
  }

  /** Returns the traces to index again in this pass. */
  #dueAgain(): string[] {
    if (this.#isPartial) return []
    this.reindex(this.#traces.takeShared())
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
      this.#traces.release(batch)
      await this.#index(positions, { rows: withoutRows(batch), parts: [] })
      for (const one of batch) this.#again.delete(one)
      batch = []
      rows = 0
      if (this.#isStopped) break
    }
  }

  /** Records the blocks whose traces need not be indexed again. */
  async #note(positions: BlockPositions, options: { readonly isUrgent: boolean }): Promise<void> {
    if (this.#isPartial || this.#again.size > 0) return
    await positions.note(this.#target, this.#traces.limit(positions.read), options)
    await this.#prices.note(this.#target, positions.source)
  }

  async #index(positions: BlockPositions, read: ReadRows): Promise<void> {
    if (read.rows.size === 0) return
    const indexed = await this.#traces.index(this.#target, positions, read, { isUrgent: this.#isUrgent })
    this.reindex(indexed.affected)
    this.#options.onModels?.(indexed.models)
    this.#status = {
      ...this.#status,
      indexedRows: this.#status.indexedRows + [...read.rows.values()].reduce((sum, { length }) => sum + length, 0),
      writtenRows: this.#status.writtenRows + indexed.written,
      failedTraces: this.#status.failedTraces + indexed.failures,
    }
  }

  #noTraces(): ChangedTraces {
    const { cheapMs, maxSpans } = this.#options
    return new ChangedTraces({ prices: this.#prices, cheapMs, maxSpans })
  }

  #report(pending: readonly FreshPart[]): void {
    const oldest = pending.reduce((least, { modified }) => Math.min(least, modified), Number.POSITIVE_INFINITY)
    this.#status = {
      ...this.#status,
      pendingSince: pending.length === 0 ? undefined : oldest,
      pendingRows: freshRowsOf(pending),
      pendingTraces: this.#again.size + this.#traces.pending,
      failure: this.#isPartial ? this.#status.failure : undefined,
    }
    this.#options.onStatus?.(this.#status)
  }
}

const withoutRows = (traceIds: readonly string[]): Map<string, readonly StoredSpan[]> =>
  new Map(traceIds.map((traceId) => [traceId, []]))
