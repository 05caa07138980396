/** The request limits of a token without its own limits. */
export const DEFAULT_LIMITS = { perSecond: 1_000, atOnce: 256 } as const

export interface Limits {
  readonly perSecond: number
  readonly atOnce: number
}

/** Counts the requests of one token. */
export class RequestLimit {
  #limits: Limits
  #left: number
  #filledAt: number
  #open = 0

  constructor(limits: Limits, now: number) {
    this.#limits = limits
    this.#left = limits.perSecond
    this.#filledAt = now
  }

  /** Replaces the limits. */
  set limits(limits: Limits) {
    this.#limits = limits
  }

  /** Counts a request; returns false if it exceeds a limit. Call `give` when a counted request is done. */
  take(now: number): boolean {
    const { perSecond, atOnce } = this.#limits
    // The clock may be set back.
    const seconds = Math.max(0, now - this.#filledAt) / 1000
    this.#left = Math.min(perSecond, this.#left + seconds * perSecond)
    this.#filledAt = now
    if (this.#left < 1 || this.#open >= atOnce) return false
    this.#left--
    this.#open++
    return true
  }

  give(): void {
    this.#open--
  }
}
