import type { KnownTrace } from './known-trace.js'

/** How many rows of spans are held. */
const MAX_ROWS = 200_000
/** How many trace ids are remembered of which the rows are not held. */
const MAX_SEEN = 1_000_000

/** A trace that is held, and its size when it was counted. */
interface HeldTrace {
  readonly trace: KnownTrace
  readonly rows: number
}

/**
 * The traces that the indexer has read, the least recently changed ones without their rows. A trace that is not `seen`
 * has no rows in later blocks than the one where this memory begins.
 */
export class TraceMemory {
  readonly #held = new Map<string, HeldTrace>()
  #seen = new Set<string>()
  #rows = 0

  get(traceId: string): KnownTrace | undefined {
    return this.#held.get(traceId)?.trace
  }

  hasSeen(traceId: string): boolean {
    return this.#seen.has(traceId)
  }

  /** Holds a trace as the most recently changed one. */
  hold(trace: KnownTrace): void {
    this.release(trace.traceId)
    const rows = trace.rows.size
    this.#held.set(trace.traceId, { trace, rows })
    this.#seen.add(trace.traceId)
    this.#rows += rows
  }

  /** Lets go of a trace: its rows are read again when it changes. */
  release(traceId: string): void {
    const held = this.#held.get(traceId)
    if (!held) return
    this.#held.delete(traceId)
    this.#rows -= held.rows
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
