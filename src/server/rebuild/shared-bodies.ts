import type { Body } from './work.js'

/** Keeps the bytes of equal answers once, as long as a slow client still reads them. */
export class SharedBodies {
  readonly #bodies = new Map<string, WeakRef<Body['body']>>()
  readonly #collected = new FinalizationRegistry<string>((checksum) => {
    if (!this.#bodies.get(checksum)?.deref()) this.#bodies.delete(checksum)
  })

  /** Returns the same result with the bytes of an equal earlier one. */
  share<Result>(result: Result): Result {
    if (!isBody(result)) return result
    const { body, checksum } = result
    const known = this.#bodies.get(checksum)?.deref()
    if (known) return { ...result, body: known }
    this.#bodies.set(checksum, new WeakRef(body))
    this.#collected.register(body, checksum)
    return result
  }
}

const isBody = (result: unknown): result is Body =>
  typeof result === 'object' && result !== null && 'body' in result && 'checksum' in result
