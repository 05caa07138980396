import { setTimeout as delay } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'

/** How long exclusive work waits for running inserts, milliseconds. Later inserts are blocked meanwhile. */
const TIMEOUT_MS = 20_000

/**
 * A lock that inserts into a ClickHouse server share, and that other work holds exclusively. An insert writes one table
 * after the other; while no insert runs, all tables contain the same spans.
 */
export class InsertLock {
  private readonly timeoutMs: number
  private inserts = 0
  private held: Promise<unknown> | undefined
  private onEmpty: (() => void) | undefined

  constructor(timeoutMs = TIMEOUT_MS) {
    this.timeoutMs = timeoutMs
  }

  /** Runs an insert beside other inserts, after exclusive work. */
  async shared<T>(insert: () => Promise<T>): Promise<T> {
    while (this.held) await this.held
    this.inserts++
    try {
      return await insert()
    } finally {
      if (--this.inserts === 0) this.onEmpty?.()
    }
  }

  /** Runs work while no insert runs. Throws `store_busy` if the running inserts do not end in time. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.held) await this.held
    const working = this.emptied().then(work)
    this.held = working.catch(() => {}).then(() => (this.held = undefined))
    return working
  }

  private async emptied(): Promise<void> {
    if (this.inserts === 0) return
    const timer = new AbortController()
    const empty = new Promise<true>((resolve) => (this.onEmpty = () => resolve(true)))
    const late = delay(this.timeoutMs, false, { signal: timer.signal }).catch(() => false)
    const isEmpty = await Promise.race([empty, late])
    timer.abort()
    this.onEmpty = undefined
    if (isEmpty) return
    throw new PlanspanError(
      'store_busy',
      `The running inserts did not end within ${String(this.timeoutMs / 1000)} s, so that inserts could not be paused. Try ` +
        'again when fewer spans are sent.',
    )
  }
}

const locks = new Map<string, InsertLock>()

/** Returns the lock that all inserts of this process into a ClickHouse server share, whatever the database. */
export function insertLockOf(url: string): InsertLock {
  const lock = locks.get(url) ?? new InsertLock()
  locks.set(url, lock)
  return lock
}
