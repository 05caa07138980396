import { setTimeout as delay } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'

/** How long inserts that are under way may take until those behind them wait no longer, milliseconds. */
const PATIENCE_MS = 20_000

/**
 * Lets inserts into a ClickHouse through, and holds them back for a moment in which none is under way: an insert comes
 * to one table after the other, and between two inserts all tables tell of the same spans.
 */
export class Turnstile {
  private readonly patienceMs: number
  private inside = 0
  private held: Promise<unknown> | undefined
  private onEmpty: (() => void) | undefined

  constructor(patienceMs = PATIENCE_MS) {
    this.patienceMs = patienceMs
  }

  async pass<T>(insert: () => Promise<T>): Promise<T> {
    while (this.held) await this.held
    this.inside++
    try {
      return await insert()
    } finally {
      if (--this.inside === 0) this.onEmpty?.()
    }
  }

  /** Runs what is to be done while nothing is inserted. Throws `store_busy` where an insert does not end. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    while (this.held) await this.held
    const working = this.emptied().then(work)
    this.held = working.catch(() => {}).then(() => (this.held = undefined))
    return working
  }

  private async emptied(): Promise<void> {
    if (this.inside === 0) return
    const timer = new AbortController()
    const empty = new Promise<true>((resolve) => (this.onEmpty = () => resolve(true)))
    const late = delay(this.patienceMs, false, { signal: timer.signal }).catch(() => false)
    const isEmpty = await Promise.race([empty, late])
    timer.abort()
    this.onEmpty = undefined
    if (isEmpty) return
    throw new PlanspanError(
      'store_busy',
      `Inserts take longer than ${String(this.patienceMs / 1000)} s, and there is no moment between two of them. Try again ` +
        'when less is sent.',
    )
  }
}

const turnstiles = new Map<string, Turnstile>()

/** The one through which all that this process inserts into a ClickHouse goes, whatever the database. */
export function turnstileOf(url: string): Turnstile {
  const turnstile = turnstiles.get(url) ?? new Turnstile()
  turnstiles.set(url, turnstile)
  return turnstile
}
