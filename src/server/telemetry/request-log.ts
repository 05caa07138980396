import type { Context } from 'hono'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

import { cutText } from '../../wire/index.js'
import type { Log } from './log.js'
import type { TraceHeaders } from './trace-parent.js'

export const REQUEST_ID = 'x-request-id'

/** The ids that are safe in a log line and in a header. */
const FORM = /^[\w.:+/=@-]{1,128}$/

/** Returns the id of a request if it is well formed, or else a new id. */
export const requestIdFrom = (given: string | readonly string[] | undefined): string =>
  typeof given === 'string' && FORM.test(given) ? given : randomUUID()

/** Returns the id of a request over a connection. */
export function requestIdOf(c: Context): string | undefined {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  return outgoing?.getHeader(REQUEST_ID) as string | undefined
}

/** A request is slow if its response takes longer, unless the response is a stream. */
const SLOW_MS = 5_000

/** A request in the log and the traces. */
export interface RequestSaid {
  readonly protocol: 'http' | 'grpc'
  readonly id: string
  readonly method: string
  /** The path; its query string is never logged. */
  readonly path: string
  /** Whether the path exists, if known. */
  readonly isKnown?: boolean
  readonly scheme?: 'http' | 'https'
  readonly from: string
  /** The headers of the trace that it belongs to. */
  readonly traceHeaders?: TraceHeaders
}

/** How a request ended: with HTTP's status or gRPC's. */
export interface RequestEnd {
  readonly status: number
  /** Whether the client disconnected before the end of the response. */
  readonly isBroken: boolean
  readonly isStream?: boolean
}

/** Logs requests at their end: the slow ones, or all. */
export class RequestLog {
  readonly #log: Log
  readonly #tellsAll: boolean

  constructor(log: Log, { all }: { readonly all: boolean }) {
    this.#log = log
    this.#tellsAll = all
  }

  /** Records the start of a request. Returns the function to call at its end. */
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
