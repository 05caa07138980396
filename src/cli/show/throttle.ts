import { setTimeout } from 'node:timers/promises'

const MIN_PAUSE_MS = 200
/** The pause after the work, as a multiple of the time that the work took. */
const PAUSE_FACTOR = 4

/** Runs work on request, with a pause after each run; requests during a run or pause share the next run. */
export class Throttle {
  readonly #work: () => Promise<void>
  readonly #ending = new AbortController()
  #running: Promise<void> | undefined
  #isRequested = false

  /** Failed work is not retried before the next request. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  request(): void {
    this.#isRequested = true
    this.#running ??= this.#run()
  }

  /** Resolves when all requests are done. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false
      const begun = Date.now()
      await this.#work().catch(() => {})
      const pause = Math.max(MIN_PAUSE_MS, (Date.now() - begun) * PAUSE_FACTOR)
      await setTimeout(pause, undefined, { signal: this.#ending.signal }).catch(() => {})
    }
    this.#running = undefined
  }
}
