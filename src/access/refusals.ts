import process from 'node:process'

/** The reasons for rejecting a request. */
export const REFUSALS = ['missing', 'unknown', 'expired', 'scope', 'foreign', 'limit', 'unreadable'] as const
export type Refused = (typeof REFUSALS)[number]

export type RefusalCounts = Readonly<Record<Refused, number>>

const EVERY_MS = 60_000

const WORDS: Readonly<Record<Refused, string>> = {
  missing: 'without a token',
  unknown: 'with an unknown token',
  expired: 'with an expired token',
  scope: 'with a token that lacks the scope',
  foreign: 'from a page of another origin',
  limit: 'over a token’s request limit',
  unreadable: 'while the token file was unreadable',
}

/** Counts rejected requests, and emits a process warning about them at most once a minute. */
export class Refusals {
  readonly counts: Record<Refused, number> = fresh()
  #unreported = fresh()
  #reportedAt = Number.NEGATIVE_INFINITY

  /** `of` is the name of a known token, never the token. */
  count(why: Refused, { of, from }: { of: string | undefined; from: string }, now: number): void {
    this.counts[why]++
    this.#unreported[why]++
    if (now - this.#reportedAt < EVERY_MS) return
    this.#reportedAt = now
    const counts = REFUSALS.filter((reason) => this.#unreported[reason] > 0)
    const listed = counts.map((reason) => `${this.#unreported[reason]} ${WORDS[reason]}`).join(', ')
    this.#unreported = fresh()
    const last = `${from || 'this process'}${of === undefined ? '' : ` with ${of}`}`
    process.emitWarning(`Rejected requests: ${listed}; the last from ${last}.`, 'PlanspanWarning')
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
