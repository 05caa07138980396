import process from 'node:process'

const FIRST_AFTER_MS = 1000
const EVERY_MS = 100
const WIDTH = 24

/** A bar on a terminal's standard error for what takes over a second; nothing elsewhere. */
export class Progress {
  readonly #label: string
  readonly #total: number
  readonly #start = performance.now()
  #next = FIRST_AFTER_MS
  #shown = false

  /** `total` is in whatever unit `update` is told. */
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
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    process.stderr.write(`\r${this.#label}  ${bar} ${String(Math.round(share * 100)).padStart(3)}%  ${remark}\u001B[K`)
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#shown) process.stderr.write('\r\u001B[K')
  }
}
