import type { Context } from 'hono'

import { encodeStatus, type Encoding } from '../../otlp/index.js'

export const CONTENT_TYPES = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
} as const satisfies Record<Encoding, string>

/** google.rpc.Code, by the HTTP status that carries it. */
const RPC_CODE = { 400: 3, 401: 16, 403: 7, 404: 12, 405: 12, 408: 4, 413: 3, 415: 3, 429: 8, 503: 14 } as const

/** Returns the encoding of an OTLP request and of its response; undefined for another media type. */
export function requestEncoding(c: Context): Encoding | undefined {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === CONTENT_TYPES.protobuf) return 'protobuf'
  return type === CONTENT_TYPES.json ? 'json' : undefined
}

/** Responds with an OTLP error. */
export const fail = (c: Context, encoding: Encoding, status: keyof typeof RPC_CODE, message: string): Response =>
  answer(c, encoding, status, encodeStatus(encoding, RPC_CODE[status], message))

export const answer = (
  c: Context,
  encoding: Encoding,
  status: 200 | keyof typeof RPC_CODE,
  body: Uint8Array,
): Response => c.body(new Uint8Array(body), status, { 'Content-Type': CONTENT_TYPES[encoding] })
