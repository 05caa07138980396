import type { Context } from 'hono'

import type { Refusal, Refused } from '../../access/index.js'
import type { PlanspanErrorCode } from '../../error.js'
import { answerProblem, fail, requestEncoding, retrySeconds } from '../http/index.js'

interface Form {
  readonly status: 401 | 403 | 429 | 503
  readonly code: PlanspanErrorCode
  readonly headers?: (scope: string) => Record<string, string>
}

const bearer = (error: string) => ({ 'www-authenticate': `Bearer realm="planspan"${error}` })
const later = (code: PlanspanErrorCode) => ({ 'retry-after': String(retrySeconds(code)) })
const invalid: Form = { status: 401, code: 'unauthenticated', headers: () => bearer(', error="invalid_token"') }

const FORMS: Readonly<Record<Refused, Form>> = {
  missing: { status: 401, code: 'unauthenticated', headers: () => bearer('') },
  unknown: invalid,
  expired: invalid,
  scope: {
    status: 403,
    code: 'access_denied',
    headers: (scope) => bearer(`, error="insufficient_scope", scope="${scope}"`),
  },
  foreign: { status: 403, code: 'access_denied' },
  limit: { status: 429, code: 'too_many_requests', headers: () => later('too_many_requests') },
  unreadable: { status: 503, code: 'tokens_unreadable', headers: () => later('tokens_unreadable') },
}

/** Rejects a request in the form that its client expects: OTLP's, Lynxe's or planspan's own. */
export function answerRefusal(c: Context, { why, message }: Refusal, scope = ''): Response {
  const { status, code, headers } = FORMS[why]
  const extra = headers?.(scope) ?? {}
  for (const [name, value] of Object.entries(extra)) c.header(name, value)
  const { path } = c.req
  if (path.startsWith('/v1/')) return fail(c, requestEncoding(c) ?? 'json', status, message)
  if (path.startsWith('/api/executor/')) return c.text(message, status)
  return answerProblem(c, { status, code, detail: message })
}
