import process from 'node:process'

/** Why a request was not let in. */
export const REFUSALS = ['missing', 'unknown', 'expired', 'scope', 'foreign', 'limit', 'unreadable'] as const
export type Refused = (typeof REFUSALS)[number]

export type RefusalCounts = Readonly<Record<Refused, number>>

const EVERY_MS = 60_000

const WORDS: Readonly<Record<Refused, string>> = {
  missing: 'without a token',
  unknown: 'with a token that is not known',
  expired: 'with a token that has expired',
  scope: 'with a token that is not for this',
  foreign: 'of a page that is not planspan’s',
  limit: 'of a token with too many requests',
  unreadable: 'while the token file could not be read',
}

/** Counts what was not let in, and says so as a warning of the process, once a minute at most. */
export class Refusals {
  readonly counts: Record<Refused, number> = fresh()
  #untold = fresh()
  #toldAt = Number.NEGATIVE_INFINITY

  /** `of` is the name of a token that is known, never a token. */
  count(why: Refused, { of, from }: { of: string | undefined; from: string }, now: number): void {
    this.counts[why]++
    this.#untold[why]++
    if (now - this.#toldAt < EVERY_MS) return
    this.#toldAt = now
    const told = REFUSALS.filter((one) => this.#untold[one] > 0).map((one) => `${this.#untold[one]} ${WORDS[one]}`)
    this.#untold = fresh()
    const last = `${from || 'this process'}${of === undefined ? '' : ` with ${of}`}`
    process.emitWarning(`Requests that were not let in: ${told.join(', ')}; the last from ${last}.`, 'PlanspanWarning')
  }
}

const fresh = (): Record<Refused, number> => ({
  missing: 0,
  unknown: 0,
  expired: 0,
  scope: 0,
  foreign: 0,
  limit: 0,
  unreadable: 0,
})
