import process from 'node:process'

const FIRST_AFTER_MS = 1000
const EVERY_MS = 100
const WIDTH = 24
const MIN_LABEL = 12

/** A progress bar on standard error, for work that takes over a second; nothing if that is not a terminal. */
export class Progress {
  readonly #label: string
  readonly #total: number
  readonly #start = performance.now()
  #next = FIRST_AFTER_MS
  #shown = false

  /** `total` has the same unit as the argument of `update`. */
  constructor(label: string, total: number) {
    this.#label = label
    this.#total = total
  }

  update(done: number, remark: string): void {
    const elapsed = performance.now() - this.#start
    if (elapsed < this.#next || process.stderr.isTTY !== true) return
    this.#next = elapsed + EVERY_MS
    this.#shown = true
    const share = Math.min(1, done / Math.max(1, this.#total))
    const line = progressLine({ label: this.#label, share, remark, width: process.stderr.columns || 80 })
    process.stderr.write(`\r${line}\u001B[K`)
  }

  /** Clears the bar. */
  end(): void {
    if (this.#shown) process.stderr.write('\r\u001B[K')
  }
}

export interface ProgressLine {
  readonly label: string
  /** The finished share of the work, from 0 to 1. */
  readonly share: number
  readonly remark: string
  /** The width in columns; a longer line would wrap and could not be overwritten. */
  readonly width: number
}

/** Formats a progress bar on one line. To fit the width, a long label is cut at its start and the bar is left out. */
export function progressLine({ label, share, remark, width }: ProgressLine): string {
  const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
  const percent = `${String(Math.round(share * 100)).padStart(3)}%`
  const fits = [`  ${bar} ${percent}  ${remark}`, ` ${percent}`].find((rest) => rest.length + MIN_LABEL < width) ?? ''
  const room = width - 1 - fits.length
  return (label.length > room ? `…${label.slice(label.length - room + 1)}` : label) + fits
}
