import { Hono } from 'hono'
import type { z } from 'zod'

import { type Gate, sessionKeyOf } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { SESSION_BODY, type sessionSchema } from '../../wire/index.js'
import { addressOf, addRoute, checkParameters, peerOf, readSmallJson } from '../http/index.js'
import { answerRefusal, refuseForeign } from './guard.js'
import { principalOf, giveSession, takeSession, isFromHere } from './request-credentials.js'

/**
 * `/api/session`, for the page: POST exchanges a token for a read-only session cookie, GET returns the token's name and
 * scopes, DELETE removes the cookie. The cookie does not contain the token, but a key that is derived from it.
 */
export function sessionRoute(gate: Gate | undefined): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/session', (c) => {
    c.header('cache-control', 'no-store')
    return c.json({ token: principalOf(c) ?? null } satisfies z.input<typeof sessionSchema>)
  })

  addRoute(app, 'POST /api/session', async (c) => {
    if (!gate) throw new PlanspanError('not_found', 'This server asks for no token.')
    if (!isFromHere(c)) return refuseForeign(c, gate)
    const { token } = checkParameters(await readSmallJson(c, '{"token": "…"}'), SESSION_BODY)
    const admitted = gate.admit({ token }, { scope: 'read', from: addressOf(peerOf(c)) })
    if ('why' in admitted) return answerRefusal(c, admitted, 'read')
    admitted.release()
    giveSession(c, sessionKeyOf(token), admitted.principal.expiresAt)
    return c.body(null, 204)
  })

  addRoute(app, 'DELETE /api/session', (c) => {
    if (gate && !isFromHere(c)) return refuseForeign(c, gate)
    takeSession(c)
    return c.body(null, 204)
  })

  return app
}
