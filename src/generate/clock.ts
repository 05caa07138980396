/** The time of a plan that is being generated, milliseconds since the Unix epoch, to the microsecond. */
export class Clock {
  #now: number
  readonly #until: number

  constructor(start: number, until: number) {
    this.#now = start
    this.#until = until
  }

  /** Lets time pass; at the end of what is generated it stands still. */
  pass(milliseconds: number): void {
    this.#now = Math.min(this.#until, this.#now + milliseconds)
  }

  get now(): number {
    return this.#now
  }

  /** Whether all has happened that had the time to. */
  get isOver(): boolean {
    return this.#now >= this.#until
  }

  /** Nanoseconds since the Unix epoch. */
  get nanos(): bigint {
    return nanosOf(this.#now)
  }
}

export const nanosOf = (milliseconds: number): bigint => BigInt(Math.round(milliseconds * 1000)) * 1000n
