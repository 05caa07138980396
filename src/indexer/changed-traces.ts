import type { StoredSpan } from '../semconv/index.js'
import { findKnownTraces, findSpreadTraces, type FreshPart, type Positions, type QueryTarget } from '../store/index.js'
import type { BlockPositions } from './block-positions.js'
import { indexApart } from './index-apart.js'
import { attachTraces } from './linked-traces.js'
import { KnownTrace, MAX_SPANS, type Written } from './known-trace.js'
import type { Prices } from './known-prices.js'
import { readContent, readTraces, readWritten } from './read-traces.js'
import { isResting, RestingTraces } from './resting.js'
import { SharedTraces } from './shared-traces.js'
import { TraceMemory } from './trace-memory.js'

export interface ChangedTracesOptions {
  readonly prices: Prices
  /** The duration of indexing beyond which a growing trace is indexed less often, milliseconds. @default 20 */
  readonly cheapMs?: number | undefined
  /** The number of spans beyond which a trace is indexed by its outline. @default 200,000 */
  readonly maxSpans?: number | undefined
}

/** The rows of some traces, and the parts that contain them. */
export interface ReadRows {
  /** The rows by trace. A trace without rows is read again. */
  readonly rows: ReadonlyMap<string, readonly StoredSpan[]>
  /** The parts that contain the rows; empty for traces that are read again. */
  readonly parts: readonly FreshPart[]
}

/** The outcome of indexing some traces. */
export interface ChangedRows {
  /** The models of the calls of the traces. */
  readonly models: ReadonlySet<string>
  /** Other traces whose rows have to change. */
  readonly affected: readonly string[]
  /** The number of rows that were written. */
  readonly written: number
  /** The number of new failures: traces that the mapping could not read as a whole. */
  readonly failures: number
}

const CHEAP_MS = 20

/** Adds new rows to their traces, and indexes the traces that the rows change. */
export class ChangedTraces {
  readonly #prices: Prices
  readonly #cheapMs: number
  readonly #maxSpans: number
  readonly #memory = new TraceMemory()
  readonly #shared = new SharedTraces()
  readonly #resting = new RestingTraces()

  constructor({ prices, cheapMs = CHEAP_MS, maxSpans = MAX_SPANS }: ChangedTracesOptions) {
    this.#prices = prices
    this.#cheapMs = cheapMs
    this.#maxSpans = maxSpans
  }

  /** The number of traces that changed and are indexed later. */
  get pending(): number {
    return this.#shared.size + this.#resting.size
  }

  /** Returns the positions up to which all rows are indexed. */
  limit(positions: Positions): Map<string, number> {
    return this.#shared.limit(this.#resting.limit(positions))
  }

  /** Returns the traces that have rested for long enough, or all resting traces if a caller waits. */
  rested({ isUrgent }: { readonly isUrgent: boolean }): string[] {
    return this.#resting.ids.filter((traceId) => {
      const trace = this.#memory.get(traceId)
      return isUrgent || !trace || !isResting(trace, this.#cheapMs)
    })
  }

  /** Returns the traces that have to be indexed again because another indexer may have written their rows. */
  takeShared(): ReadonlySet<string> {
    return this.#shared.takeDue()
  }

  /** Drops traces from memory, so that they are read again. */
  release(traceIds: Iterable<string>): void {
    for (const traceId of traceIds) this.#memory.release(traceId)
  }

  /** Forgets which traces were seen if there are too many. Returns true if it did. */
  forgetIfFull(): boolean {
    const { isFull } = this.#memory
    if (isFull) this.#memory.beginAnew()
    return isFull
  }

  /** Indexes the traces that new rows change, and resting traces if a caller waits. Throws the store's errors. */
  async index(
    target: QueryTarget,
    positions: BlockPositions,
    { rows, parts }: ReadRows,
    { isUrgent }: { readonly isUrgent: boolean },
  ): Promise<ChangedRows> {
    const { isSharded } = positions.source
    const isContested = positions.isContested(parts)
    const before = new Map(parts.map(({ partition, indexed }) => [partition, indexed]))
    if (isContested && positions.hasOthers) this.#shared.add(rows.keys(), before)
    const fresh = new Map([...rows].filter(([traceId, own]) => own.length === 0 || !this.#memory.covers(traceId, own)))
    try {
      const spread = isSharded ? await findSpreadTraces(target, [...fresh.keys()]) : NONE
      this.release(spread)
      const traces = await this.#read(target, positions, { fresh, spread, isContested })
      this.#add(traces, fresh)
      for (const [traceId, trace] of traces) {
        if (isUrgent || fresh.get(traceId)?.length === 0 || !isResting(trace, this.#cheapMs)) continue
        this.#resting.add(traceId, before)
        this.#memory.hold(trace)
        traces.delete(traceId)
      }
      const lacking = [...traces.values()].filter((trace) => trace.needsContent)
      for (const [traceId, trace] of await readContent(target, lacking, this.#maxSpans)) traces.set(traceId, trace)
      await attachTraces(target, traces, this.#maxSpans)
      const indexed = await indexApart(target, [...traces.values()], this.#prices)
      const shared = [...indexed.imports, ...spread].filter((traceId) => fresh.get(traceId)?.length !== 0)
      if (isSharded) this.#shared.add(shared, before)
      this.#remember(traces, new Set(indexed.settled))
      this.release(spread)
      this.#memory.trim()
      return { ...indexed, written: indexed.rows }
    } catch (error) {
      // Rows that were added but not written are read again.
      this.release(fresh.keys())
      throw error
    }
  }

  /** Reads traces from memory or from the store. Traces without earlier rows are new. */
  async #read(
    target: QueryTarget,
    positions: BlockPositions,
    {
      fresh,
      spread,
      isContested,
    }: {
      readonly fresh: ReadonlyMap<string, readonly StoredSpan[]>
      readonly spread: ReadonlySet<string>
      readonly isContested: boolean
    },
  ): Promise<Map<string, KnownTrace>> {
    const traces = new Map<string, KnownTrace>()
    const absent: string[] = []
    for (const traceId of fresh.keys()) {
      const held = this.#memory.get(traceId)
      if (held) traces.set(traceId, held)
      else absent.push(traceId)
    }
    const isStored = (traceId: string) =>
      this.#memory.hasSeen(traceId) || spread.has(traceId) || fresh.get(traceId)?.length === 0
    const unseen = absent.filter((traceId) => !isStored(traceId))
    const known =
      positions.begin === 0 || unseen.length === 0
        ? NONE
        : await findKnownTraces(target, positions.source, { traceIds: unseen, block: positions.begin })
    const stored = await readTraces(target, [...absent.filter(isStored), ...known], this.#maxSpans)
    for (const [traceId, trace] of stored) traces.set(traceId, trace)
    const added = absent.filter((traceId) => !stored.has(traceId))
    const written = isContested ? await readWritten(target, added, { hasSpans: true }) : new Map<string, Written>()
    for (const traceId of added) {
      traces.set(traceId, new KnownTrace(traceId, this.#maxSpans, written.get(traceId)))
    }
    return traces
  }

  /** Adds rows to their traces, and removes the traces that the rows do not change. */
  #add(traces: Map<string, KnownTrace>, fresh: ReadonlyMap<string, readonly StoredSpan[]>): void {
    for (const [traceId, trace] of traces) {
      const rows = fresh.get(traceId) ?? []
      let isChanged = this.#memory.get(traceId) !== trace || rows.length === 0
      for (const row of rows) {
        if (trace.add(row, { isWhole: false })) isChanged = true
      }
      if (!isChanged) traces.delete(traceId)
    }
  }

  #remember(traces: ReadonlyMap<string, KnownTrace>, settled: ReadonlySet<string>): void {
    for (const [traceId, trace] of traces) {
      trace.noteIndexed()
      this.#resting.delete(traceId)
      if (settled.has(traceId)) this.#memory.settle(trace)
      else this.#memory.hold(trace)
    }
  }
}

const NONE: ReadonlySet<string> = new Set()
