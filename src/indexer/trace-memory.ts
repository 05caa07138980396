import { FinalSpans } from '../mapping/index.js'
import type { StoredSpan } from '../semconv/index.js'
import type { KnownTrace } from './known-trace.js'

/** How many rows of spans are held. */
const MAX_ROWS = 200_000
/** How many spans of settled traces are remembered. */
const MAX_SETTLED = 400_000
/** How many trace ids are remembered of which the rows are not held. */
const MAX_SEEN = 1_000_000

/** A trace that is held, and its size when it was counted. */
interface HeldTrace {
  readonly trace: KnownTrace
  readonly rows: number
}

/**
 * The traces that the indexer has read, the least recently changed ones without their rows. For settled traces it keeps
 * the ids and ends of their spans, to recognize rows that are sent again. A trace that is not `seen` has no rows in
 * later blocks than the one where this memory begins.
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

  /** Whether rows say nothing new about a settled trace. */
  covers(traceId: string, rows: readonly StoredSpan[]): boolean {
    const spans = this.#settled.get(traceId)
    return spans !== undefined && rows.every((row) => spans.covers(row))
  }

  /** Holds a trace as the most recently changed one. */
  hold(trace: KnownTrace): void {
    this.release(trace.traceId)
    const rows = trace.rows.size
    this.#held.set(trace.traceId, { trace, rows })
    this.#seen.add(trace.traceId)
    this.#rows += rows
  }

  /** Lets go of the rows of a trace of which no more are expected. */
  settle({ traceId, rows }: KnownTrace): void {
    this.release(traceId)
    const spans = new FinalSpans(rows)
    this.#settled.set(traceId, spans)
    this.#seen.add(traceId)
    this.#settledSpans += spans.size
  }

  /** Lets go of a trace: its rows are read again when it changes. */
  release(traceId: string): void {
    this.#rows -= this.#held.get(traceId)?.rows ?? 0
    this.#held.delete(traceId)
    this.#settledSpans -= this.#settled.get(traceId)?.size ?? 0
    this.#settled.delete(traceId)
  }

  /** Lets go of the least recently changed traces beyond the limits. */
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

  /** Whether so many traces were seen that the memory has to begin anew. */
  get isFull(): boolean {
    return this.#seen.size > MAX_SEEN
  }

  /** Forgets which traces were seen, except for those that are held. */
  beginAnew(): void {
    this.#seen = new Set(this.#held.keys())
  }
}
