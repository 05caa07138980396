export interface LeastRateOptions {
  /** What has to arrive in each period, bytes. @default 20_480 */
  readonly bytes?: number
  /** The period, milliseconds. @default 5_000 */
  readonly everyMs?: number
  /** The longest that a request may take, milliseconds. @default 300_000 */
  readonly maxMs?: number
}

interface Watched {
  /** How many bytes have arrived. */
  readonly arrived: () => number
  readonly end: () => void
  readonly since: number
  /** How many had arrived a period ago; undefined in the first. */
  before: number | undefined
}

/** Ends requests whose clients send nothing, or next to nothing, or all too long. */
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

  /** Watches a request until the function that it returns is called, or `end` has been, which is called once. */
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
    // Where this thread was busy, what was sent meanwhile is yet to be read.
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
