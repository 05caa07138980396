import type { WriteRequest } from '../ingest/frame.js'
import type { WriteResult } from '../ingest/isolate.js'

/** The value of a histogram. */
export interface HistogramValue {
  /** Ascending. */
  readonly bounds: readonly number[]
  /** The number of values up to each bound, and the total number last. */
  readonly counts: readonly number[]
  readonly sum: number
}

/** Counts values by inclusive upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    const bounds = this.#bounds
    let at = 0
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  get value(): HistogramValue {
    let count = 0
    return { bounds: this.#bounds, counts: this.#counts.map((own) => (count += own)), sum: this.#sum }
  }
}

/** The load of a queue. */
export interface Load {
  readonly spans: number
  readonly bytes: number
  /** The arrival of the oldest item, as `performance.now()`; undefined for an empty queue. */
  readonly since: number | undefined
}

/** Functions that return the current load of each queue. */
interface Loads {
  readonly queues: Readonly<Record<WriteRequest['encoding'], () => Load>>
  readonly journal?: () => Load
}

const INSERT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const LAG_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600]

/** Measures inserts into the tables of a database. */
export class IngestMeter {
  readonly inserts = new Histogram(INSERT_SECONDS)
  /** From a span's end until it is stored. Negative times, due to differing clocks, count as 0. */
  readonly lags = new Histogram(LAG_SECONDS)
  readonly #stored = { traces: 0, logs: 0 }
  #failedInserts = 0
  #loads: Loads | undefined

  get storedSpans(): number {
    return this.#stored.traces
  }

  get storedLogs(): number {
    return this.#stored.logs
  }

  get failedInserts(): number {
    return this.#failedInserts
  }

  /** The load of the queues; undefined without a writer. */
  get loads(): Loads | undefined {
    return this.#loads
  }

  watch(loads: Loads): void {
    this.#loads = loads
  }

  /** Measures an insert of several requests. Throws the errors of `store`. */
  async time(
    requests: readonly WriteRequest[],
    store: () => Promise<readonly WriteResult[]>,
  ): Promise<readonly WriteResult[]> {
    const begun = performance.now()
    try {
      const results = await store()
      const now = Date.now()
      for (const [index, { signal = 'traces', spans, ends = [] }] of requests.entries()) {
        this.#stored[signal] += spans - (results[index]?.rejectedSpans ?? 0)
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
