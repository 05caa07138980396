import { setTimeout } from 'node:timers/promises'

const SHORTEST_REST_MS = 200
/** Work is not done again before so many times what it took. */
const REST = 4

/** Work that is done whenever it is asked for, but not more often than is good, and once more after the last ask. */
export class Repeated {
  readonly #work: () => Promise<void>
  readonly #ending = new AbortController()
  #running: Promise<void> | undefined
  #isAsked = false

  /** Work that fails is left until it is asked for again. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  ask(): void {
    this.#isAsked = true
    this.#running ??= this.#run()
  }

  /** Resolves when all that was asked for is done. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false
      const begun = Date.now()
      await this.#work().catch(() => {})
      const rest = Math.max(SHORTEST_REST_MS, (Date.now() - begun) * REST)
      await setTimeout(rest, undefined, { signal: this.#ending.signal }).catch(() => {})
    }
    this.#running = undefined
  }
}
