import { backoff, pause } from './pause.js'
import type { Report } from './report.js'

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
