import { PlanspanError } from '../../error.js'

/** Limits the number of values in a record while it is parsed, because each needs many times the memory of its text. */
export class ValueCount {
  readonly #most: number
  #count = 0

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** Counts one more value. Throws `record_too_large` beyond the limit. */
  add(): void {
    if (++this.#count <= this.#most) return
    throw new PlanspanError(
      'record_too_large',
      `The record has more than ${this.#most} JSON values. Import it with \`planspan import\`, which has no such limit.`,
    )
  }
}
