import { setTimeout } from 'node:timers/promises'

import type { Report } from './report.js'

const FIRST_MS = 500
const LONGEST_MS = 30_000

/** Waits for a time, or until the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => {})
}

/** The pause after the nth failure in a row, milliseconds; the jitter keeps many followers from returning at once. */
const backoff = (failures: number): number =>
  Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS) * (0.75 + Math.random() / 2)

const BYTES_PER_SECOND = 65_536

/**
 * How long to leave a record alone after importing it, milliseconds. A record that grows step by step is stored again
 * as a whole, so importing a large record at each step would cost the square of its size.
 */
export const pauseAfter = (bytes: number): number => (bytes / BYTES_PER_SECOND) * 1000

/** Reports once that the source or the server is unreachable, waits longer each time, and reports when it is back. */
export class Outage {
  readonly #who: 'source' | 'server'
  readonly #report: Report
  #failures = 0

  constructor(who: 'source' | 'server', report: Report) {
    this.#who = who
    this.#report = report
  }

  async wait(message: string, signal: AbortSignal): Promise<void> {
    if (++this.#failures === 1)
      this.#report.outage('away', this.#who, `${message} Following continues when it is back.`)
    await pause(backoff(this.#failures), signal)
  }

  over(): void {
    if (this.#failures > 0) this.#report.outage('back', this.#who, `The ${this.#who} is back.`)
    this.#failures = 0
  }
}
