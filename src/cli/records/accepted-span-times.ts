import { type Client, ClientError } from '../../client/index.js'
import { unixNanoOf, type EncodeOptions } from '../../mapping/index.js'
import { DEFAULT_YEARS, spanTimesOf, type SpanTimes } from '../../semconv/index.js'

/**
 * Returns the span times that the server accepts. A collector does not report them; then it returns the times of a
 * server with default settings.
 */
export async function askSpanTimes(client: Pick<Client, 'storage'>): Promise<SpanTimes> {
  const reported = await reportedBy(client)
  const from = unixNanoOf(reported?.from ?? '', 'UTC')
  const until = unixNanoOf(reported?.until ?? '', 'UTC')
  return from === undefined || until === undefined ? spanTimesOf(DEFAULT_YEARS, Date.now()) : { from, until }
}

async function reportedBy(
  client: Pick<Client, 'storage'>,
): Promise<{ from: string; until: string } | null | undefined> {
  try {
    return (await client.storage()).spanTimes
  } catch (error) {
    if (error instanceof ClientError) return undefined
    throw error
  }
}

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
