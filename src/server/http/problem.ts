import { STATUS_CODES } from 'node:http'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'

import type { PlanspanError, PlanspanErrorCode } from '../../error.js'
import type { RefusedRecord } from '../rebuild/encode-file.js'
import { requestIdOf } from '../telemetry/request-id.js'

/** The body of an error response: an RFC 9457 problem with planspan's error code. */
export const problemSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string().describe('What the status means.'),
  status: z.number().int(),
  code: z.string().describe('planspan’s error code, such as usage or store_unreachable.'),
  detail: z.string().describe('What happened, with what, and what to do.'),
  requestId: z.string().exactOptional().describe('The request’s id, which the server’s log tells as well.'),
})

/** An error as RFC 9457 writes it: `application/problem+json`. */
export type Problem = z.output<typeof problemSchema>

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

/** The seconds after which to send a request again that could not be answered. */
export const retrySeconds = (code: PlanspanErrorCode): number =>
  code === 'store_busy' || code === 'too_many_requests' ? 1 : 5

/** Responds with an error as `application/problem+json`: 4xx for the caller's errors, 503 for the
 * store's, 403 for what ClickHouse does not let its user do, 500 for a record that is too large to be rebuilt. */
export function problem(c: Context, { code, message }: PlanspanError): Response {
  const status = STATUS[code] ?? 503
  return answerProblem(c, { status, code, detail: message }, retryOf(status, code))
}

const retryOf = (status: number, code: PlanspanErrorCode): Record<string, string> =>
  status === 503 ? { 'retry-after': String(retrySeconds(code)) } : {}

/** What is said of a problem; where an import was refused, also of which records. */
interface ProblemSaid extends Partial<RefusedImport> {
  readonly status: ContentfulStatusCode
  readonly code: ProblemCode
  readonly detail: string
}
interface RefusedImport {
  readonly records: readonly []
  readonly refused: readonly RefusedRecord[]
  readonly refusedCount: number
}

/** Responds with a problem. */
export function answerProblem(
  c: Context,
  { status, ...said }: ProblemSaid,
  headers: Record<string, string> = {},
): Response {
  const requestId = requestIdOf(c)
  const title = STATUS_CODES[status] ?? 'Error'
  const body = { type: 'about:blank', title, status, ...said, ...(requestId && { requestId }) } satisfies Problem
  return c.json(body, status, { ...headers, ...MEDIA_TYPE })
}

/** `internal_error` is a mistake of planspan's own. */
type ProblemCode = PlanspanErrorCode | 'internal_error'
