/** The current time of a plan that is being generated, Unix milliseconds with microsecond precision. */
export class Clock {
  #now: number
  readonly #until: number

  constructor(start: number, until: number) {
    this.#now = start
    this.#until = until
  }

  /** Advances the time, at most to the end of the generated period. */
  pass(milliseconds: number): void {
    this.#now = Math.min(this.#until, this.#now + milliseconds)
  }

  get now(): number {
    return this.#now
  }

  /** Whether the end of the generated period is reached. */
  get isOver(): boolean {
    return this.#now >= this.#until
  }

  /** The time in Unix nanoseconds. */
  get nanos(): bigint {
    return nanosOf(this.#now)
  }
}

export const nanosOf = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1000)) * 1000n
