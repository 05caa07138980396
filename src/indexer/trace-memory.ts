import type { KnownTrace } from './known-trace.js'

/** How many rows of spans are held. */
const MAX_ROWS = 200_000
/** How many trace ids are remembered of which the rows are not held. */
const MAX_SEEN = 1_000_000

/**
 * The traces that the indexer has read, the least recently changed ones without their rows. A trace that is not `seen`
 * has no rows in later blocks than the one where this memory begins.
 */
export class TraceMemory {
  readonly #held = new Map<string, KnownTrace>()
  #seen = new Set<string>()
  #rows = 0

  get(traceId: string): KnownTrace | undefined {
    return this.#held.get(traceId)
  }

  hasSeen(traceId: string): boolean {
    return this.#seen.has(traceId)
  }

  /** Holds a trace as the most recently changed one. `rows` is the change of its size. */
  hold(trace: KnownTrace, rows: number): void {
    this.#held.delete(trace.traceId)
    this.#held.set(trace.traceId, trace)
    this.#seen.add(trace.traceId)
    this.#rows += rows
  }

  /** Lets go of a trace: its rows are read again when it changes. */
  release(traceId: string): void {
    const trace = this.#held.get(traceId)
    if (!trace) return
    this.#held.delete(traceId)
    this.#rows -= trace.rows.size
  }

  /** Lets go of the least recently changed traces beyond the limit. */
  trim(): void {
    for (const traceId of this.#held.keys()) {
      if (this.#rows <= MAX_ROWS) return
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
