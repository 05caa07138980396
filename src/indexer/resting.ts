import type { Positions } from '../store/index.js'
import type { KnownTrace } from './known-trace.js'

/** The rest of a trace as a multiple of the duration of its indexing. */
const REST_FACTOR = 300
/** The longest rest of a trace that is indexed within `MODERATE_MS`. SQL then follows it within about two seconds. */
const MAX_MODERATE_REST_MS = 1_500
const MODERATE_MS = 100
/** The longest rest of any trace. */
const MAX_REST_MS = 45_000
/** The growth that ends a rest: the cost of all passes is then about twice that of the last one. */
const GROWTH = 2

/**
 * Whether a trace rests: it took longer to index than `cheapMs`, so it is not indexed for a while. The rest ends early
 * if the trace has doubled in size, an outermost plan has ended, a wait has begun or ended, or a plan would become
 * interrupted by the written rows although more of its spans have arrived.
 */
export function isResting(trace: KnownTrace, cheapMs: number): boolean {
  const { costMs, indexedAt, interruptedAt, indexedSize, hasMilestone } = trace
  if (costMs <= cheapMs || hasMilestone || trace.rows.size >= indexedSize * GROWTH) return false
  const maxRestMs = costMs <= MODERATE_MS ? MAX_MODERATE_REST_MS : MAX_REST_MS
  const until = indexedAt + Math.min(costMs * REST_FACTOR, maxRestMs)
  return Date.now() < (interruptedAt > indexedAt ? Math.min(until, interruptedAt) : until)
}

/** Changed traces that rest, with the positions from which blocks have to be read again if this process ends. */
export class RestingTraces {
  readonly #before = new Map<string, Positions>()

  get size(): number {
    return this.#before.size
  }

  get ids(): string[] {
    return [...this.#before.keys()]
  }

  /** Adds a trace whose rows are in later blocks than some positions. */
  add(traceId: string, before: Positions): void {
    const known = this.#before.get(traceId)
    this.#before.set(traceId, known ? lowest([...known], before) : before)
  }

  delete(traceId: string): void {
    this.#before.delete(traceId)
  }

  /** Returns the positions up to which all rows are indexed. */
  limit(positions: Positions): Map<string, number> {
    return [...this.#before.values()].reduce<Map<string, number>>(
      (limited, before) => lowest([...limited], before),
      new Map(positions),
    )
  }
}

/** Returns the lower block of each partition that is among the positions. */
export const lowest = (positions: readonly (readonly [string, number])[], before: Positions): Map<string, number> =>
  new Map([
    ...before,
    ...positions.map(([partition, block]) => [partition, Math.min(block, before.get(partition) ?? block)] as const),
  ])
