import { Hono, type Context } from 'hono'

import { PlanspanError } from '../error.js'
import { encodeResponse, encodeStatus, receive, type Encoding, type PartialSuccess } from '../otlp/index.js'
import type { SpanWriter } from '../store/ingest/index.js'
import { readBody } from './read-body.js'

export interface OtlpRouteOptions {
  readonly writer: Pick<SpanWriter, 'write'>
  /** The largest body taken, in bytes, packed and unpacked. @default 67_108_864, the collector configuration's */
  readonly maxBodyBytes?: number
  /** Spans that start before this time (unix nanoseconds) are refused: the store would drop them without a word. */
  readonly refuseBefore?: () => bigint | undefined
}

const CONTENT_TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' } as const satisfies Record<
  Encoding,
  string
>

/** google.rpc.Code, by the HTTP status that carries it. */
const RPC_CODE = { 400: 3, 405: 12, 413: 3, 415: 3, 503: 14 } as const

const RETRY_AFTER_BUSY_S = 1
const RETRY_AFTER_FAILURE_S = 5

/** `POST /v1/traces` as OTLP/HTTP has it (https://opentelemetry.io/docs/specs/otlp/#otlphttp), answered when all is stored. */
export function otlpRoute({ writer, maxBodyBytes = 64 << 20, refuseBefore }: OtlpRouteOptions): Hono {
  const app = new Hono()

  app.post('/v1/traces', async (c) => {
    const encoding = requestEncoding(c)
    if (!encoding) {
      const types = Object.values(CONTENT_TYPES).join(' or ')
      return fail(c, 'json', 415, `The Content-Type is ${c.req.header('content-type') ?? 'missing'}. Send ${types}.`)
    }
    const read = await readBody(c, maxBodyBytes)
    if (!read.ok) return fail(c, encoding, read.status, read.message)
    const received = receive(encoding, read.body, { refuseBefore: refuseBefore?.() })
    if (!received.ok) return fail(c, encoding, 400, received.message)
    try {
      const { request } = received
      const stored = await writer.write(request, connectionOf(c))
      return answer(c, encoding, 200, encodeResponse(encoding, joined(request.refused, stored)))
    } catch (error) {
      if (!(error instanceof PlanspanError)) throw error
      c.header('Retry-After', String(error.code === 'store_busy' ? RETRY_AFTER_BUSY_S : RETRY_AFTER_FAILURE_S))
      return fail(c, encoding, 503, error.message)
    }
  })

  app.all('/v1/traces', (c) => {
    c.header('Allow', 'POST')
    return fail(c, requestEncoding(c) ?? 'json', 405, `${c.req.method} is not allowed here. Send spans with POST.`)
  })

  return app
}

/** The socket of a request that came over one. */
const connectionOf = (c: Context): object | undefined =>
  (c.env as { incoming?: { socket?: object } } | undefined)?.incoming?.socket

function requestEncoding(c: Context): Encoding | undefined {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === CONTENT_TYPES.protobuf) return 'protobuf'
  return type === CONTENT_TYPES.json ? 'json' : undefined
}

function joined(refused: PartialSuccess | undefined, rejected: PartialSuccess): PartialSuccess | undefined {
  if (rejected.rejectedSpans === 0) return refused
  if (!refused) return rejected
  return {
    rejectedSpans: refused.rejectedSpans + rejected.rejectedSpans,
    errorMessage: `${refused.errorMessage} ${rejected.errorMessage}`,
  }
}

const fail = (c: Context, encoding: Encoding, status: keyof typeof RPC_CODE, message: string): Response =>
  answer(c, encoding, status, encodeStatus(encoding, RPC_CODE[status], message))

const answer = (c: Context, encoding: Encoding, status: 200 | keyof typeof RPC_CODE, body: Uint8Array): Response =>
  c.body(new Uint8Array(body), status, { 'Content-Type': CONTENT_TYPES[encoding] })
