import { FinalSpans } from '../mapping/index.js'
import type { StoredSpan } from '../semconv/index.js'
import type { KnownTrace } from './known-trace.js'

/** The maximum number of span rows in memory. */
const MAX_ROWS = 200_000
/** The maximum number of spans of settled traces whose ids and ends are remembered. */
const MAX_SETTLED = 400_000
/** The maximum number of remembered trace ids. */
const MAX_SEEN = 1_000_000

/** A trace in memory, and the size with which it was counted. */
interface HeldTrace {
  readonly trace: KnownTrace
  readonly rows: number
}

/**
 * The traces that the indexer has read. The least recently changed traces are kept without their rows. For settled
 * traces the ids and ends of the spans are kept, to recognize rows that are sent again. A trace that is not `seen` has
 * no rows in later blocks than the one where this memory begins.
 */
export class TraceMemory {
  readonly #held = new Map<string, HeldTrace>()
  readonly #settled = new Map<string, FinalSpans>()
  #seen = new Set<string>()
  #rows = 0
  #settledSpans = 0

  get(traceId: string): KnownTrace | undefined {
    return this.#held.get(traceId)?.trace
  }

  hasSeen(traceId: string): boolean {
    return this.#seen.has(traceId)
  }

  /** Whether rows contain nothing new about a settled trace. */
  covers(traceId: string, rows: readonly StoredSpan[]): boolean {
    const spans = this.#settled.get(traceId)
    return spans !== undefined && rows.every((row) => spans.covers(row))
  }

  /** Keeps a trace as the most recently changed one. */
  hold(trace: KnownTrace): void {
    this.release(trace.traceId)
    const rows = trace.rows.size
    this.#held.set(trace.traceId, { trace, rows })
    this.#seen.add(trace.traceId)
    this.#rows += rows
  }

  /** Drops the rows of a trace that is not expected to change, and keeps the ids and ends of its spans. */
  settle({ traceId, rows }: KnownTrace): void {
    this.release(traceId)
    const spans = new FinalSpans(rows)
    this.#settled.set(traceId, spans)
    this.#seen.add(traceId)
    this.#settledSpans += spans.size
  }

  /** Drops the rows of a trace; they are read again when the trace changes. */
  release(traceId: string): void {
    this.#rows -= this.#held.get(traceId)?.rows ?? 0
    this.#held.delete(traceId)
    this.#settledSpans -= this.#settled.get(traceId)?.size ?? 0
    this.#settled.delete(traceId)
  }

  /** Drops the least recently changed traces beyond the limits. */
  trim(): void {
    for (const traceId of this.#held.keys()) {
      if (this.#rows <= MAX_ROWS) break
      this.release(traceId)
    }
    for (const traceId of this.#settled.keys()) {
      if (this.#settledSpans <= MAX_SETTLED) break
      this.release(traceId)
    }
  }

  /** Whether the number of seen traces exceeds the limit, so that the memory has to begin anew. */
  get isFull(): boolean {
    return this.#seen.size > MAX_SEEN
  }

  /** Forgets which traces were seen, except for the traces in memory. */
  beginAnew(): void {
    this.#seen = new Set(this.#held.keys())
  }
}
