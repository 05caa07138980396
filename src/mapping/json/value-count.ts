import { PlanspanError } from '../../error.js'

/** Counts the values of a record while it is parsed, since each takes many times the memory of its text. */
export class ValueCount {
  readonly #most: number
  #count = 0

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  /** Counts one more. Throws `record_too_large` beyond the limit. */
  add(): void {
    if (++this.#count <= this.#most) return
    throw new PlanspanError(
      'record_too_large',
      `The record has more than ${this.#most} JSON values. Import it with \`planspan import\`, which has no such limit.`,
    )
  }
}
