import type { WriteRequest } from '../ingest/frame.js'
import type { WriteResult } from '../ingest/isolate.js'
import { Histogram } from './histogram.js'

/** What waits for something. */
export interface Load {
  readonly spans: number
  readonly bytes: number
  /** When the first of it came, as `performance.now()` tells time; undefined where there is nothing. */
  readonly since: number | undefined
}

/** What tells at any time what waits. */
export interface Loads {
  readonly queues: Readonly<Record<WriteRequest['encoding'], () => Load>>
  readonly journal?: () => Load
}

const INSERT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const LAG_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600]

/** Counts what comes to the tables of a database, and how long that takes. */
export class IngestMeter {
  readonly inserts = new Histogram(INSERT_SECONDS)
  /** From a span's end to its being in the tables. By clocks that differ it may come before it ends: at once. */
  readonly lags = new Histogram(LAG_SECONDS)
  #storedSpans = 0
  #failedInserts = 0
  #loads: Loads | undefined

  get storedSpans(): number {
    return this.#storedSpans
  }

  get failedInserts(): number {
    return this.#failedInserts
  }

  /** What waits now; undefined where nothing is written. */
  get loads(): Loads | undefined {
    return this.#loads
  }

  watch(loads: Loads): void {
    this.#loads = loads
  }

  /** Counts requests that are stored together. Throws what storing them throws. */
  async time(
    requests: readonly WriteRequest[],
    store: () => Promise<readonly WriteResult[]>,
  ): Promise<readonly WriteResult[]> {
    const begun = performance.now()
    try {
      const results = await store()
      const now = Date.now()
      for (const [index, { spans, ends = [] }] of requests.entries()) {
        this.#storedSpans += spans - (results[index]?.rejectedSpans ?? 0)
        for (const end of ends) this.lags.observe(Math.max(0, now - end) / 1000)
      }
      return results
    } catch (error) {
      this.#failedInserts++
      throw error
    } finally {
      this.inserts.observe((performance.now() - begun) / 1000)
    }
  }
}
