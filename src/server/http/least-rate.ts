export interface LeastRateOptions {
  /** The minimum number of bytes per period. @default 20_480 */
  readonly bytes?: number
  /** The period, milliseconds. @default 5_000 */
  readonly everyMs?: number
  /** The maximum duration of a request, milliseconds. @default 300_000 */
  readonly maxMs?: number
}

interface Watched {
  /** The number of received bytes. */
  readonly arrived: () => number
  readonly end: () => void
  readonly since: number
  /** The number of bytes received a period ago; undefined in the first period. */
  before: number | undefined
}

/** Aborts requests whose clients send too slowly or for too long. */
export class LeastRate {
  readonly #bytes: number
  readonly #everyMs: number
  readonly #maxMs: number
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined
  #checkedAt = 0

  constructor({ bytes = 20_480, everyMs = 5_000, maxMs = 300_000 }: LeastRateOptions = {}) {
    this.#bytes = bytes
    this.#everyMs = everyMs
    this.#maxMs = maxMs
  }

  /** Watches a request until the returned function or `end` is called. Calls `end` at most once. */
  watch(arrived: () => number, end: () => void): () => void {
    const watched: Watched = { arrived, end, since: performance.now(), before: undefined }
    this.#watched.add(watched)
    if (!this.#timer) {
      this.#checkedAt = performance.now()
      this.#timer = setInterval(() => this.#check(), this.#everyMs).unref()
    }
    return () => this.#forget(watched)
  }

  #check(): void {
    const now = performance.now()
    // After a busy period, this thread has not yet read the data that has arrived.
    const isLate = now - this.#checkedAt > this.#everyMs * 1.5
    this.#checkedAt = now
    for (const watched of this.#watched) {
      const { arrived, before, since, end } = watched
      watched.before = arrived()
      const isSlow = before !== undefined && !isLate && watched.before - before < this.#bytes
      if (!isSlow && now - since <= this.#maxMs) continue
      this.#forget(watched)
      end()
    }
  }

  #forget(watched: Watched): void {
    this.#watched.delete(watched)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
