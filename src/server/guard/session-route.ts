import { Hono } from 'hono'
import type { z } from 'zod'

import { type Gate, sessionKeyOf } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { SESSION_BODY, type sessionSchema } from '../../wire/index.js'
import { addressOf, addRoute, checkParameters, peerOf, readSmallJson } from '../http/index.js'
import { answerRefusal } from './answer-refusal.js'
import { refuseForeign } from './guard.js'
import { principalOf } from './principal.js'
import { giveSession, takeSession } from './session-cookie.js'
import { isFromHere } from './request-credentials.js'

/**
 * `/api/session`, for the page: POST takes a token and gives a cookie for it, with which the page reads, GET tells
 * whose it is, DELETE takes it away. The cookie holds no token, but a key that follows from it and is good for reading
 * alone.
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
