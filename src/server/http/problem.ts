import { STATUS_CODES } from 'node:http'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

import type { PlanspanError, PlanspanErrorCode } from '../../error.js'
import type { ImportReport, Problem } from '../../wire/index.js'
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
