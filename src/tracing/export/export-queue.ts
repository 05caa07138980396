import { countDrop } from '../drops.js'
import type { ExportResultLike, SpanExporterLike, SpanLike } from '../sdk-types.js'

export const SUCCESS = 0
const FAILED = 1

/** The result of an export that failed with this error. */
export const failed = (error: unknown): ExportResultLike => ({
  code: FAILED,
  error: error instanceof Error ? error : new Error(String(error)),
})

export interface ExportBounds {
  /** The largest number of concurrent exports. */
  readonly concurrency: number
  /** The time limit for one export. */
  readonly timeoutMillis: number
}

/** Exports parts, a few at a time; an export that exceeds its time limit counts as failed, and the next one starts. */
export class ExportQueue {
  readonly #exporter: SpanExporterLike
  readonly #bounds: ExportBounds
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(exporter: SpanExporterLike, bounds: ExportBounds) {
    this.#exporter = exporter
    this.#bounds = bounds
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
      if (this.#running < this.#bounds.concurrency) run()
      else this.#waiting.push(run)
    })
  }

  #export(part: SpanLike[], done: (result: ExportResultLike) => void): void {
    let answered = false
    const once = (result: ExportResultLike): void => {
      if (answered) return
      answered = true
      clearTimeout(timer)
      done(result)
    }
    const { timeoutMillis } = this.#bounds
    const late = (): void => once(failed(new Error(`the exporter did not answer within ${timeoutMillis} ms`)))
    const timer = setTimeout(late, timeoutMillis).unref()
    try {
      this.#exporter.export(part, once)
    } catch (error) {
      once(failed(error))
    }
  }
}
