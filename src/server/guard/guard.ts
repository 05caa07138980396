import type { Context, MiddlewareHandler } from 'hono'

import type { Admission, Gate, Refusal, Refused } from '../../access/index.js'
import type { PlanspanErrorCode } from '../../error.js'
import { routeNamed, type Need } from '../../wire/index.js'
import { addressOf, peerOf, routeNameOf, answerProblem, fail, requestEncoding, retrySeconds } from '../http/index.js'
import { setPrincipal, isFromHere, shownBy } from './request-credentials.js'

/** Admits requests with a token that has the required scope, before their body is read. */
export const guard =
  (gate: Gate): MiddlewareHandler =>
  async (c, next) => {
    const need = needOf(c)
    if (need === 'open') return next()
    const shown = shownBy(c)
    if (need === 'brief' && Object.values(shown).every((one) => one === undefined)) return next()
    const from = addressOf(peerOf(c))
    if (shown.sessionKey !== undefined && !isFromHere(c)) return refuseForeign(c, gate)
    const scope = need === 'brief' ? 'read' : need
    const admitted = gate.admit(shown, { scope, from })
    if ('why' in admitted) return answerRefusal(c, admitted, scope)
    setPrincipal(c, admitted.principal)
    await next()
    hold(c, admitted)
    return undefined
  }

/** Rejects a request that a browser sent for another page. */
export function refuseForeign(c: Context, gate: Gate): Response {
  gate.refuse('foreign', addressOf(peerOf(c)))
  return answerRefusal(c, { why: 'foreign', message: 'Sessions are for planspan’s own page alone.' })
}

/** Returns the access that the route of a request needs. Unknown paths need a token, which prevents probing. */
function needOf(c: Context): Need | undefined {
  const name = routeNameOf(c)
  if (name === undefined) return undefined
  const route = routeNamed(name)
  if (!route) throw new Error(`${name} is not declared in src/wire.`)
  return route.scope
}

/** Counts a request until its response is complete. */
function hold(c: Context, admission: Admission): void {
  const { headers } = c.res
  // Both kinds of streams set this header for proxies. The response to HEAD has no body.
  const isStreamed = headers.get('x-accel-buffering') === 'no' && c.req.method !== 'HEAD'
  const body = isStreamed ? c.res.body : null
  if (!body) return admission.release()
  const isLive = headers.get('content-type')?.startsWith('text/event-stream') === true
  c.res = new Response(heldBody(body, admission, { isLive }), c.res)
}

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

/**
 * Forwards the body of a response while its token is valid. Afterwards a live stream ends, and any other body is
 * aborted, so that its beginning is not mistaken for the whole body.
 */
export function heldBody(
  body: ReadableStream<Uint8Array>,
  admission: Admission,
  { isLive }: { readonly isLive: boolean },
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isOver = false
  const over = (): void => {
    isOver = true
    admission.release()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        admission.onEnd = () => {
          over()
          void reader.cancel()
          if (isLive) controller.close()
          else controller.error(new Error('The token has ended.'))
        }
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (isOver) return
          if (!done) return controller.enqueue(value)
          over()
          controller.close()
        } catch (error) {
          over()
          throw error
        }
      },
      async cancel(reason) {
        over()
        await reader.cancel(reason)
      },
    },
    // Produces nothing before the client reads.
    { highWaterMark: 0 },
  )
}
