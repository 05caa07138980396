import { Hono, type Context } from 'hono'

import { PlanspanError } from '../error.js'
import { encodeResponse, encodeStatus, receive, type Encoding, type PartialSuccess } from '../otlp/index.js'
import type { SpanWriter } from '../store/ingest/index.js'
import { BodyReader, type BodyResult } from './body-reader.js'
import { retryAfter } from './problem.js'

export interface OtlpRouteOptions {
  readonly writer: Pick<SpanWriter, 'write'>
  /** @default one with the usual limits */
  readonly bodies?: BodyReader
  /** Spans that start before this time (Unix nanoseconds) are refused: the store would drop them silently. */
  readonly refuseBefore?: () => bigint | undefined
}

const CONTENT_TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' } as const satisfies Record<
  Encoding,
  string
>

/** google.rpc.Code, by the HTTP status that carries it. */
const RPC_CODE = { 400: 3, 405: 12, 413: 3, 415: 3, 503: 14 } as const

/**
 * `POST /v1/traces` as specified by OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). Responds once the
 * spans are stored.
 */
export function otlpRoute({ writer, bodies = new BodyReader(), refuseBefore }: OtlpRouteOptions): Hono {
  const app = new Hono()

  app.post('/v1/traces', async (c) => {
    const encoding = requestEncoding(c)
    if (!encoding) {
      const types = Object.values(CONTENT_TYPES).join(' or ')
      return fail(c, 'json', 415, `The Content-Type is ${c.req.header('content-type') ?? 'missing'}. Send ${types}.`)
    }
    try {
      return await bodies.answer(c, (read) => store(c, encoding, read))
    } catch (error) {
      if (!(error instanceof PlanspanError)) throw error
      c.header('Retry-After', retryAfter(error.code))
      return fail(c, encoding, 503, error.message)
    }
  })

  async function store(c: Context, encoding: Encoding, read: BodyResult): Promise<Response> {
    if (!read.ok) return fail(c, encoding, read.status, read.message)
    const received = receive(encoding, read.body, { refuseBefore: refuseBefore?.() })
    if (!received.ok) return fail(c, encoding, 400, received.message)
    const { request } = received
    const stored = await writer.write(request)
    return answer(c, encoding, 200, encodeResponse(encoding, joined(request.refused, stored)))
  }

  app.all('/v1/traces', (c) => {
    c.header('Allow', 'POST')
    return fail(c, requestEncoding(c) ?? 'json', 405, `${c.req.method} is not allowed here. Send spans with POST.`)
  })

  return app
}

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
