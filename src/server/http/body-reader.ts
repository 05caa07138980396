import type { Context } from 'hono'

import { unpackBounded, type Compression } from '../../otlp/index.js'
import { Limiter } from '../async.js'
import { LeastRate } from './least-rate.js'
import { addressOf, peerOf } from './read-request.js'
import { piecesOf, readBounded, type Pieces } from './read-bounded.js'
import { Room, type Holding } from './request-memory.js'

/** The reason why a body can't be read. */
export type Unread = 'too_large' | 'too_slow' | 'broken_off' | 'invalid' | 'unknown_encoding'

export type BodyResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: Unread; readonly message: string }

/** The HTTP status for each reason. */
export const UNREAD_STATUS = {
  too_large: 413,
  too_slow: 408,
  broken_off: 400,
  invalid: 400,
  unknown_encoding: 415,
} as const satisfies Record<Unread, number>

export interface BodyReaderOptions {
  /** The largest body accepted, in bytes, compressed and uncompressed. @default 67_108_864, as in agent.yaml */
  readonly maxBytes?: number
  /** The largest total of all bodies held at once, in bytes; a client may hold half of it. @default 536_870_912 */
  readonly maxTotalBytes?: number
  /** Aborts bodies that arrive too slowly. @default the default limits */
  readonly rate?: LeastRate
}

/** A body that is being received. */
export interface Arriving {
  readonly pieces: Pieces
  /** The address of the client. */
  readonly client: string
}

/** The memory of the body, to be held while the body is processed. */
type Task<Result> = (read: BodyResult, holding: Holding) => Promise<Result> | Result

/** The size of libuv's thread pool. */
const MAX_CONCURRENT_UNPACKED = 4

/**
 * Reads request bodies and limits the bytes that are held at once. Only received bytes count, regardless of the
 * announced length.
 */
export class BodyReader {
  /** The largest body accepted, in bytes. */
  readonly maxBytes: number
  readonly #room: Room
  readonly #rate: LeastRate
  readonly #unpacking = new Limiter(MAX_CONCURRENT_UNPACKED)

  constructor({ maxBytes = 64 << 20, maxTotalBytes = 512 << 20, rate = new LeastRate() }: BodyReaderOptions = {}) {
    this.maxBytes = maxBytes
    this.#room = new Room({ total: maxTotalBytes, share: Math.max(maxTotalBytes / 2, maxBytes) })
    this.#rate = rate
  }

  /**
   * Passes a request's body, uncompressed, to `answer`, or the reason why it can't be read. The body counts as held
   * until `answer` is done. Throws `store_busy` if there is no room for it at the moment.
   */
  answer(c: Context, answer: (read: BodyResult) => Response | Promise<Response>): Promise<Response> {
    const encoding = c.req.header('content-encoding')?.trim().toLowerCase() ?? 'identity'
    if (encoding !== 'gzip' && encoding !== 'identity') {
      return Promise.resolve(
        answer({
          ok: false,
          reason: 'unknown_encoding',
          message: `The Content-Encoding is ${encoding}. Send gzip or none.`,
        }),
      )
    }
    if (Number(c.req.header('content-length')) > this.maxBytes)
      return Promise.resolve(answer(this.#unread('too_large')))
    const arriving = { pieces: piecesOf(c), client: addressOf(peerOf(c)) }
    return this.receive(arriving, async (sent, holding) => {
      const read = sent.ok && encoding === 'gzip' ? await this.unpack(sent.body, 'gzip', holding) : sent
      // Stops reading from a connection whose client does not send.
      if (!read.ok && read.reason === 'too_slow') c.header('Connection', 'close')
      return answer(read)
    })
  }

  /** Passes the received body to a task. Its bytes count as held until the task is done. Throws `store_busy`. */
  async receive<Result>({ pieces, client }: Arriving, task: Task<Result>, maxBytes = this.maxBytes): Promise<Result> {
    const holding = this.#room.open(client)
    try {
      const sent = await readBounded(pieces, { maxBytes, holding, rate: this.#rate })
      return await task(sent.ok ? sent : this.#unread(sent.reason), holding)
    } finally {
      holding.release()
    }
  }

  /** Decompresses a body. Throws `store_busy` if the result does not fit into memory. */
  async unpack(packed: Uint8Array, by: Compression, holding: Holding): Promise<BodyResult> {
    return this.#unpacking.run(async () => {
      const unpacked = await unpackBounded(packed, by, this.maxBytes)
      if (!unpacked.ok) return this.#unread(unpacked.reason, by)
      holding.take(unpacked.body.length)
      return unpacked
    })
  }

  #unread(reason: Exclude<Unread, 'unknown_encoding'>, by: Compression = 'gzip'): BodyResult {
    const messages = {
      too_large: `The request has more than ${this.maxBytes} bytes. Send less at once.`,
      too_slow: 'The request came too slowly, or not at all. Send it again.',
      broken_off: 'The connection ended before the request did.',
      invalid: `The body is not ${by}, though its encoding says so.`,
    }
    return { ok: false, reason, message: messages[reason] }
  }
}
