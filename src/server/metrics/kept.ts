import { PlanspanError } from '../../error.js'
import { withTimeout } from '../async/index.js'

/** What takes time to find out is found out no more often than this, milliseconds. */
const LEAST_MS = 1_000
/** And no more often than this many times as long as it took. */
const REST_FACTOR = 10

/** What is found out when it is asked for, once for all that ask, and kept: an answer is not to wait for it. */
export class Kept<Value> {
  readonly #find: (tell: (value: Value) => void) => Promise<void>
  readonly #waitMs: number
  #value: Value | undefined
  #foundAt: number | undefined
  #running: Promise<void> | undefined
  #due = 0

  /** `find` may tell several times, the last time what is newest. */
  constructor(find: (tell: (value: Value) => void) => Promise<void>, waitMs = 250) {
    this.#find = find
    this.#waitMs = waitMs
  }

  /** What was found last, after a moment's wait for something newer. Throws nothing. */
  async look(): Promise<Value | undefined> {
    if (performance.now() >= this.#due) this.#running ??= this.#run()
    if (this.#running) await withTimeout(this.#waitMs, this.#running, () => undefined)
    return this.#value
  }

  /** How long ago the value was found, seconds; undefined without one. */
  get age(): number | undefined {
    return this.#foundAt === undefined ? undefined : (performance.now() - this.#foundAt) / 1000
  }

  async #run(): Promise<void> {
    const begun = performance.now()
    try {
      await this.#find((value) => {
        this.#value = value
      })
      this.#foundAt = performance.now()
    } catch (error) {
      // Whoever can't be asked is told of elsewhere.
      if (!(error instanceof PlanspanError)) process.emitWarning(error instanceof Error ? error : String(error))
    } finally {
      this.#running = undefined
      const now = performance.now()
      this.#due = now + Math.max(LEAST_MS, REST_FACTOR * (now - begun))
    }
  }
}
