import type { Positions } from '../store/index.js'
import type { KnownTrace } from './known-trace.js'

/** A trace that is expensive to index is left alone for so many times as long as it took, beyond a short time. */
const REST_FACTOR = 10

/** Whether a trace took longer to index than some milliseconds, so that it is left alone for a while. */
export const isResting = ({ costMs, indexedAt }: KnownTrace, cheapMs: number): boolean =>
  costMs > cheapMs && Date.now() < indexedAt + costMs * REST_FACTOR

/** Traces that have changed and are left alone, with the blocks that have to be read again if this process ends. */
export class RestingTraces {
  readonly #before = new Map<string, Positions>()

  get size(): number {
    return this.#before.size
  }

  get ids(): string[] {
    return [...this.#before.keys()]
  }

  /** Adds a trace whose rows come after some positions. */
  add(traceId: string, before: Positions): void {
    const known = this.#before.get(traceId)
    this.#before.set(traceId, known ? lowest([...known], before) : before)
  }

  delete(traceId: string): void {
    this.#before.delete(traceId)
  }

  /** The positions up to which all rows are indexed. */
  limit(positions: Positions): Map<string, number> {
    return [...this.#before.values()].reduce<Map<string, number>>(
      (limited, before) => lowest([...limited], before),
      new Map(positions),
    )
  }
}

/** The lower block of each partition that is among the positions. */
export const lowest = (positions: readonly (readonly [string, number])[], before: Positions): Map<string, number> =>
  new Map([
    ...before,
    ...positions.map(([partition, block]) => [partition, Math.min(block, before.get(partition) ?? block)] as const),
  ])
