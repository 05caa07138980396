import type { TraceHeaders } from './trace-parent.js'
import { cutText } from '../../wire/index.js'
import type { Log } from './log-entry.js'

/** A request takes long that is answered later than this, unless its answer is a stream. */
const SLOW_MS = 5_000

/** What is told of a request. */
export interface RequestSaid {
  readonly protocol: 'http' | 'grpc'
  readonly id: string
  readonly method: string
  /** With a query or without, of which nothing is told. */
  readonly path: string
  /** Whether there is such a path, where that is known. */
  readonly isKnown?: boolean
  readonly scheme?: 'http' | 'https'
  readonly from: string
  /** Of the trace that it belongs to. */
  readonly traceHeaders?: TraceHeaders
}

/** How a request ended: with HTTP's status or gRPC's. */
export interface RequestEnd {
  readonly status: number
  /** Whether the client went before it had the whole answer. */
  readonly isBroken: boolean
  readonly isStream?: boolean
}

/** Tells of requests when they are over: of those that took long, or of all. */
export class RequestLog {
  readonly #log: Log
  readonly #tellsAll: boolean

  constructor(log: Log, { all }: { readonly all: boolean }) {
    this.#log = log
    this.#tellsAll = all
  }

  /** Notes that a request begins; answers what to call at its end. */
  begin({ id, method, path, from }: RequestSaid): (end: RequestEnd) => void {
    const began = performance.now()
    return ({ status, isBroken, isStream = false }) => {
      const milliseconds = Math.round(performance.now() - began)
      const isSlow = milliseconds > SLOW_MS && !isStream
      if (!this.#tellsAll && !isSlow) return
      const [bare = ''] = path.split('?', 1)
      this.#log({
        level: isSlow ? 'warn' : 'info',
        event: isSlow ? 'slow_request' : 'request',
        message: isSlow ? 'A request took long.' : 'A request was answered.',
        fields: { requestId: id, method, path: cutText(bare, 200), status, milliseconds, isBroken, from },
      })
    }
  }
}
