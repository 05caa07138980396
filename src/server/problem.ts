import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

import type { PlanspanError, PlanspanErrorCode } from '../error.js'

/** The body of an error response: an RFC 9457 problem with planspan's error code. */
export interface Problem {
  readonly status: number
  readonly code: PlanspanErrorCode
  /** The error message: what happened, with what, and what to do. */
  readonly detail: string
}

const STATUS: Partial<Record<PlanspanErrorCode, ContentfulStatusCode>> = {
  usage: 400,
  invalid_record: 400,
  unknown_dialect: 400,
  access_denied: 403,
  not_found: 404,
  request_too_large: 413,
  record_too_large: 500,
}

/** The seconds after which to send a request again that could not be answered. */
export const retrySeconds = (code: PlanspanErrorCode): number => (code === 'store_busy' ? 1 : 5)

/** Responds with an error as `application/problem+json`: 4xx for the caller's errors, 503 for the
 * store's, 403 for what ClickHouse does not let its user do, 500 for a record that is too large to be rebuilt. */
export function problem(c: Context, { code, message }: PlanspanError): Response {
  const status = STATUS[code] ?? 503
  const body: Problem = { status, code, detail: message }
  return c.json(body, status, {
    'content-type': 'application/problem+json',
    ...(status === 503 ? { 'retry-after': String(retrySeconds(code)) } : {}),
  })
}
