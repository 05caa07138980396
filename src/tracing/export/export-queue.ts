import { countDrop } from '../drops.js'
import type { ExportResultLike, SpanExporterLike, SpanLike } from '../sdk-types.js'

export const SUCCESS = 0
const FAILED = 1

/** What an exporter would answer that has met this error. */
export const failed = (error: unknown): ExportResultLike => ({
  code: FAILED,
  error: error instanceof Error ? error : new Error(String(error)),
})

/** Hands parts to an exporter, a few at a time. */
export class ExportQueue {
  readonly #exporter: SpanExporterLike
  readonly #maxAtOnce: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(exporter: SpanExporterLike, maxAtOnce: number) {
    this.#exporter = exporter
    this.#maxAtOnce = maxAtOnce
  }

  /** Resolves with the exporter's result; never rejects. */
  add(part: SpanLike[]): Promise<ExportResultLike> {
    return new Promise((resolve) => {
      const run = (): void => {
        this.#running++
        this.#export(part, (result) => {
          this.#running--
          if (result.code !== SUCCESS) countDrop('export', `${part.length} spans`, part.length)
          resolve(result)
          this.#waiting.shift()?.()
        })
      }
      if (this.#running < this.#maxAtOnce) run()
      else this.#waiting.push(run)
    })
  }

  #export(part: SpanLike[], done: (result: ExportResultLike) => void): void {
    let answered = false
    const once = (result: ExportResultLike): void => {
      if (answered) return
      answered = true
      done(result)
    }
    try {
      this.#exporter.export(part, once)
    } catch (error) {
      once(failed(error))
    }
  }
}
