import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'

import type { PlanspanError, PlanspanErrorCode } from '../../error.js'
import { encodeStatus, type Encoding } from '../../otlp/index.js'
import type { ImportReport, Problem } from '../../wire/index.js'
import type { Body } from '../rebuild/index.js'
import { requestIdOf } from '../telemetry/index.js'

const MEDIA_TYPE = { 'content-type': 'application/problem+json' }

const STATUS: Partial<Record<PlanspanErrorCode, ContentfulStatusCode>> = {
  usage: 400,
  invalid_record: 400,
  unknown_dialect: 400,
  access_denied: 403,
  not_found: 404,
  conflict: 409,
  request_too_large: 413,
  record_too_large: 500,
}

/** Returns the seconds after which a client should retry a request. */
export const retrySeconds = (code: PlanspanErrorCode): number =>
  code === 'store_busy' || code === 'too_many_requests' ? 1 : 5

/**
 * Responds with an error as `application/problem+json`: 4xx for errors of the caller, 403 for missing rights of the
 * ClickHouse user, 500 for a record that is too large to rebuild, and 503 for errors of the store.
 */
export function problem(c: Context, { code, message }: PlanspanError): Response {
  const status = STATUS[code] ?? 503
  return answerProblem(c, { status, code, detail: message }, retryOf(status, code))
}

const retryOf = (status: number, code: PlanspanErrorCode): Record<string, string> =>
  status === 503 ? { 'retry-after': String(retrySeconds(code)) } : {}

/** The body of a problem. A rejected import includes the rejected records. */
interface ProblemBody extends Partial<RefusedImport> {
  readonly status: ContentfulStatusCode
  readonly code: ProblemCode
  readonly detail: string
}
interface RefusedImport {
  readonly records: readonly []
  readonly refused: Readonly<ImportReport['refused']>
  readonly refusedCount: number
}

/** Responds with a problem. */
export function answerProblem(
  c: Context,
  { status, ...details }: ProblemBody,
  headers: Record<string, string> = {},
): Response {
  const requestId = requestIdOf(c)
  const title = STATUS_CODES[status] ?? 'Error'
  const body = { type: 'about:blank', title, status, ...details, ...(requestId && { requestId }) } satisfies Problem
  return c.json(body, status, { ...headers, ...MEDIA_TYPE })
}

/** `internal_error` is a bug in planspan. */
type ProblemCode = PlanspanErrorCode | 'internal_error'

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

/**
 * Responds with pieces of a media type as they are produced and read. Waits for the first piece, so that an earlier
 * failure determines the status. A later failure aborts the response.
 */
export async function streamedAnswer(
  c: Context,
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  type: string,
): Promise<Response> {
  let first: IteratorResult<Uint8Array, void> | undefined = await pieces.next()
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    const { done, value } = first ?? (await pieces.next())
    first = undefined
    if (done) controller.close()
    else controller.enqueue(value)
  }
  const cancel = async (): Promise<void> => void (await pieces.return())
  const body = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 })
  // A response to HEAD has no body.
  if (c.req.method === 'HEAD') await body.cancel()
  return c.body(body, 200, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
}

/** Responds with a body and an ETag of its content, or with 304 if the client has the same content. */
export function taggedAnswer(c: Context, { body, checksum }: Body, headers: Record<string, string>): Response {
  const etag = `"${createHash('sha256').update(checksum).update(JSON.stringify(headers)).digest('base64url').slice(0, 27)}"`
  const tagged = { ...headers, etag, 'cache-control': 'no-cache' }
  return isKnown(c.req.header('if-none-match') ?? '', etag)
    ? c.body(null, 304, tagged)
    : c.body(body, 200, { ...tagged, 'content-length': String(body.length) })
}

const isKnown = (known: string, etag: string): boolean =>
  known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
