import type { Context, MiddlewareHandler } from 'hono'

import type { Admission, Gate } from '../../access/index.js'
import { type Need, routeNamed } from '../../wire/index.js'
import { addressOf, peerOf, routeNameOf } from '../http/index.js'
import { answerRefusal } from './answer-refusal.js'
import { heldBody } from './held-body.js'
import { setPrincipal } from './principal.js'
import { isFromHere, shownBy } from './request-credentials.js'

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
