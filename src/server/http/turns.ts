/** Also where a program replaces the timers for a while. */
const { setImmediate } = globalThis

/** The requests that begin in one turn of the event loop: a few milliseconds of work. */
const PER_TURN = 12

/**
 * Begins requests in turns: a few in each turn of the event loop, and one of each connection before the next one of any
 * connection. A flood over some connections therefore does not delay the requests of others.
 */
export class Turns {
  readonly #waiting = new Map<object, (() => void)[]>()
  #left = PER_TURN
  #isScheduled = false

  /** Begins a request of a connection now, or in its turn. */
  run(connection: object, begin: () => void): void {
    this.#schedule()
    const waiting = this.#waiting.get(connection)
    if (waiting) waiting.push(begin)
    else if (this.#waiting.size > 0 || this.#left === 0) this.#waiting.set(connection, [begin])
    else {
      this.#left--
      begin()
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    this.#left = PER_TURN
    for (const [connection, waiting] of this.#waiting) {
      if (this.#left === 0) break
      this.#left--
      const [begin, ...rest] = waiting
      this.#waiting.delete(connection)
      if (rest.length > 0) this.#waiting.set(connection, rest)
      begin?.()
    }
    if (this.#waiting.size > 0) this.#schedule()
  }
}

/** The turns of all listeners of this thread. */
export const turns = new Turns()
