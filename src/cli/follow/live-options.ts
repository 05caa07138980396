import type { Client } from '../../client/index.js'
import type { EncodeOptions } from '../../mapping/index.js'
import type { SpanTimes } from '../../semconv/index.js'
import { askSpanTimes } from '../records/ask-span-times.js'

const ASK_EVERY_MS = 60_000

/** The encoder's options. The accepted span times move with the clock, so they are refreshed. */
export class LiveOptions {
  readonly #client: Pick<Client, 'storage'>
  #times: SpanTimes | undefined
  #askedAt = 0
  readonly options: EncodeOptions

  constructor(client: Pick<Client, 'storage'>, given: EncodeOptions) {
    this.#client = client
    const times = () => this.#times
    this.options = Object.defineProperty({ ...given }, 'times', { enumerable: true, get: times })
  }

  async refresh(): Promise<void> {
    if (this.#times && performance.now() - this.#askedAt < ASK_EVERY_MS) return
    this.#times = await askSpanTimes(this.#client)
    this.#askedAt = performance.now()
  }
}
