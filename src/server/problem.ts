import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

import type { PlanspanError, PlanspanErrorCode } from '../error.js'

/** The body of an error: RFC 9457 with planspan's own error code beside it. */
export interface Problem {
  readonly status: number
  readonly code: PlanspanErrorCode
  /** What happened, with what, and what to do. */
  readonly detail: string
}

const STATUS: Partial<Record<PlanspanErrorCode, ContentfulStatusCode>> = {
  usage: 400,
  invalid_record: 400,
  unknown_dialect: 400,
  not_found: 404,
}

/** Seconds after which a request that met a 503 may be sent again, as a header. */
export const retryAfter = (code: PlanspanErrorCode): string => (code === 'store_busy' ? '1' : '5')

/** Answers an error as `application/problem+json`: what the caller did is 4xx, all else is the store's, 503. */
export function problem(c: Context, { code, message }: PlanspanError): Response {
  const status = STATUS[code] ?? 503
  const body: Problem = { status, code, detail: message }
  return c.json(body, status, {
    'content-type': 'application/problem+json',
    ...(status === 503 ? { 'retry-after': retryAfter(code) } : {}),
  })
}
