import { withTimeout } from './with-timeout.js'

const TIMEOUT_MS = 10_000

/** Disposes of resources in the reverse order of their acquisition. */
export class Disposer {
  readonly #disposals: (() => Promise<void>)[] = []
  #disposed: Promise<void> | undefined

  defer(disposal: () => Promise<void>): void {
    this.#disposals.push(disposal)
  }

  /** Runs all disposals, each for ten seconds at most. Idempotent; never rejects. */
  dispose(): Promise<void> {
    return (this.#disposed ??= this.#dispose())
  }

  async #dispose(): Promise<void> {
    for (const disposal of this.#disposals.toReversed()) {
      // A part that hangs must not keep the others, ClickHouse above all, from stopping.
      await withTimeout(TIMEOUT_MS, disposal(), () => {}).catch((error: Error) => process.emitWarning(error))
    }
  }
}
