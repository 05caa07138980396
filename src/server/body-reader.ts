import type { Context } from 'hono'

import { PlanspanError } from '../error.js'
import { gunzipBounded } from '../otlp/index.js'
import { readBounded } from './read-bounded.js'
import { Limiter } from './limiter.js'

export type BodyResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly message: string }

export interface BodyReaderOptions {
  /** The largest body accepted, in bytes, compressed and uncompressed. @default 67_108_864, as in agent.yaml */
  readonly maxBytes?: number
  /** The largest total of all bodies held at once, in bytes. @default 536_870_912 */
  readonly maxTotalBytes?: number
}

/** Reserves room for more bytes. */
type Hold = (bytes: number) => void

/** The size of libuv's thread pool. */
const MAX_CONCURRENT_GUNZIPS = 4

/** Reads request bodies and limits how many bytes of them are held at once. */
export class BodyReader {
  /** The largest body accepted, in bytes. */
  readonly maxBytes: number
  #free: number
  readonly #gunzips = new Limiter(MAX_CONCURRENT_GUNZIPS)

  constructor({ maxBytes = 64 << 20, maxTotalBytes = 512 << 20 }: BodyReaderOptions = {}) {
    this.maxBytes = maxBytes
    this.#free = maxTotalBytes
  }

  /**
   * Passes a request's body, uncompressed, to `answer`, or the reason why it can't be read: too large, an unknown
   * encoding, invalid gzip, a connection that ended early. The body counts as held until `answer` is done. Throws
   * `store_busy` if there is no room for it at the moment.
   */
  answer(c: Context, answer: (read: BodyResult) => Response | Promise<Response>): Promise<Response> {
    return this.holding(async (hold) => answer(await this.#read(c, hold)))
  }

  /**
   * Runs a task that tells `hold` how many bytes it reads; they count as held until it is done. `hold` throws
   * `store_busy` if there is no room for them at the moment.
   */
  async holding<T>(task: (hold: Hold) => Promise<T>): Promise<T> {
    let held = 0
    const hold: Hold = (bytes) => {
      if (bytes > this.#free) {
        throw new PlanspanError('store_busy', 'Too many large requests are under way. Send this one again later.')
      }
      this.#free -= bytes
      held += bytes
    }
    try {
      return await task(hold)
    } finally {
      this.#free += held
    }
  }

  async #read(c: Context, hold: Hold): Promise<BodyResult> {
    const encoding = c.req.header('content-encoding')?.trim().toLowerCase() ?? 'identity'
    if (encoding !== 'gzip' && encoding !== 'identity') {
      return { ok: false, status: 415, message: `The Content-Encoding is ${encoding}. Send gzip or none.` }
    }
    const sent = await readBounded(c.req.raw, { maxBytes: this.maxBytes, hold })
    if (!sent.ok) return this.#refusal(sent.reason)
    if (encoding === 'identity') return sent
    const decompressed = await this.#gunzips.run(() => gunzipBounded(sent.body, this.maxBytes))
    if (!decompressed.ok) return this.#refusal(decompressed.reason)
    hold(decompressed.body.length)
    return decompressed
  }

  #refusal(reason: 'too_large' | 'broken_off' | 'invalid'): BodyResult {
    switch (reason) {
      case 'too_large':
        return {
          ok: false,
          status: 413,
          message: `The request has more than ${this.maxBytes} bytes. Send less at once.`,
        }
      case 'broken_off':
        return { ok: false, status: 400, message: 'The connection ended before the request did.' }
      case 'invalid':
        return { ok: false, status: 400, message: 'The body is not gzip, though its Content-Encoding says so.' }
    }
  }
}
