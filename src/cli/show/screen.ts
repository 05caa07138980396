import process from 'node:process'
import { setTimeout } from 'node:timers/promises'

const ENTER = '\u001B[?1049h\u001B[?25l\u001B[?7l'
const LEAVE = '\u001B[?7h\u001B[?25h\u001B[?1049l'
const BEGIN = '\u001B[?2026h\u001B[H'
const END = '\u001B[J\u001B[?2026l'
const CLEAR_LINE = '\u001B[K'

/**
 * The terminal's alternate screen, redrawn in place in one write, without a cursor and without wrapping, so that it
 * does not flicker. The normal screen is restored on leaving, even if the process ends unexpectedly.
 */
export class Screen {
  readonly #onResize: () => void
  readonly #onExit = (): void => this.leave()
  #isEntered = false

  constructor(onResize: () => void) {
    this.#onResize = onResize
  }

  get rows(): number {
    return process.stdout.rows || 24
  }

  enter(): void {
    this.#isEntered = true
    process.stdout.write(ENTER)
    process.stdout.on('resize', this.#onResize)
    process.once('exit', this.#onExit)
  }

  draw(lines: readonly string[]): void {
    if (this.#isEntered) process.stdout.write(`${BEGIN}${lines.map((line) => line + CLEAR_LINE).join('\n')}${END}`)
  }

  leave(): void {
    if (!this.#isEntered) return
    this.#isEntered = false
    process.stdout.off('resize', this.#onResize)
    process.off('exit', this.#onExit)
    process.stdout.write(LEAVE)
  }
}

const MIN_PAUSE_MS = 200
/** The pause after the work, as a multiple of the time that the work took. */
const PAUSE_FACTOR = 4

/** Runs work on request, with a pause after each run; requests during a run or pause share the next run. */
export class Throttle {
  readonly #work: () => Promise<void>
  readonly #ending = new AbortController()
  #running: Promise<void> | undefined
  #isRequested = false

  /** Failed work is not retried before the next request. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  request(): void {
    this.#isRequested = true
    this.#running ??= this.#run()
  }

  /** Resolves when all requests are done. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false
      const begun = Date.now()
      await this.#work().catch(() => {})
      const pause = Math.max(MIN_PAUSE_MS, (Date.now() - begun) * PAUSE_FACTOR)
      await setTimeout(pause, undefined, { signal: this.#ending.signal }).catch(() => {})
    }
    this.#running = undefined
  }
}
