import { constants, type ServerHttp2Session } from 'node:http2'

import { CONNECTION_LIMITS } from '../http/index.js'
import { GRPC_CODE } from './grpc-status.js'

const { NGHTTP2_ENHANCE_YOUR_CALM: CALM } = constants
const { firstCalls, calls, headMs, metadataBytes, metadataPairs, refused: maxRefused } = CONNECTION_LIMITS

/** The options of servers. Clients queue calls beyond the number of concurrent streams. */
export const SESSION_OPTIONS = {
  maxHeaderListPairs: metadataPairs,
  // Without a table, each byte of a header is sent.
  settings: { maxConcurrentStreams: firstCalls, maxHeaderListSize: metadataBytes, headerTableSize: 0 },
}

/** The codes of calls that any client can send without end. */
const REFUSED: ReadonlySet<number> = new Set([
  GRPC_CODE.unauthenticated,
  GRPC_CODE.permissionDenied,
  GRPC_CODE.unimplemented,
  GRPC_CODE.internal,
])

/** Ends a connection whose client does not heed its limits. A connection that sends no call ends, too. */
export class SessionGuard {
  readonly #session: ServerHttp2Session
  readonly #timer: NodeJS.Timeout
  #refused = 0
  #isTrusted = false
  #isOver = false

  constructor(session: ServerHttp2Session) {
    this.#session = session
    this.#timer = setTimeout(() => session.destroy(undefined, constants.NGHTTP2_NO_ERROR), headMs).unref()
    session.once('close', () => clearTimeout(this.#timer))
  }

  /** Whether a call may begin. */
  permits(rawHeaders: readonly string[]): boolean {
    clearTimeout(this.#timer)
    if (this.#isOver) return false
    const bytes = rawHeaders.reduce((sum, { length }) => sum + length, 0)
    if (bytes <= metadataBytes) return true
    this.#end()
    return false
  }

  /** Receives the code of a call. */
  answered(code: number): void {
    this.#refused = REFUSED.has(code) ? this.#refused + 1 : 0
    if (this.#refused >= maxRefused) return this.#end()
    if (this.#isTrusted || code !== GRPC_CODE.ok || this.#session.destroyed) return
    this.#isTrusted = true
    this.#session.settings({ maxConcurrentStreams: calls })
  }

  #end(): void {
    this.#isOver = true
    // Node.js sends nothing if a session ends while it reads.
    setImmediate(() => {
      if (this.#session.destroyed) return
      this.#session.goaway(CALM)
      this.#session.destroy(undefined, CALM)
    })
  }
}
