import { within } from './within.js'

const STEP_MS = 10_000

/** What has to be ended, the last thing begun first. */
export class Closing {
  readonly #steps: (() => Promise<void>)[] = []
  #closed: Promise<void> | undefined

  add(step: () => Promise<void>): void {
    this.#steps.push(step)
  }

  /** Ends all in order, ten seconds each at most. Idempotent; never rejects. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #close(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      // One part that cannot end must not keep the others, ClickHouse above all, from ending.
      await within(STEP_MS, step(), () => {}).catch((error: Error) => process.emitWarning(error))
    }
  }
}
