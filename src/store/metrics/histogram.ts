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
