import { Hono } from 'hono'
import { z } from 'zod'

import { type Gate, sessionKeyOf } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { addressOf, peerOf } from '../http/peer.js'
import { checkParameters } from '../http/query.js'
import { readSmallJson } from '../http/small-body.js'
import { answerRefusal } from './answer-refusal.js'
import { refuseForeign } from './guard.js'
import { principalOf } from './principal.js'
import { giveSession, takeSession } from './session-cookie.js'
import { isFromHere } from './credentials.js'

/** The body of `POST /api/session`. */
export const SESSION_BODY = z.strictObject({ token: z.string().max(1_000).describe('A token with the scope read.') })

/** The answer of `GET /api/session`. */
export const sessionSchema = z.object({
  token: z
    .object({
      name: z.string(),
      scopes: z.array(z.string()).readonly().describe('What this request may do.'),
      database: z.string().exactOptional().describe('The tenant’s; without it the server’s own.'),
      expiresAt: z.string().exactOptional().describe('When the token ends, ISO 8601.'),
    })
    .nullable()
    .describe('Of the token that was shown; null where the server asks for none.'),
})

/**
 * `/api/session`, for the page: POST takes a token and gives a cookie for it, with which the page reads, GET tells
 * whose it is, DELETE takes it away. The cookie holds no token, but a key that follows from it and is good for reading
 * alone.
 */
export function sessionRoute(gate: Gate | undefined): Hono {
  const app = new Hono()

  app.get('/api/session', (c) => {
    c.header('cache-control', 'no-store')
    return c.json({ token: principalOf(c) ?? null } satisfies z.input<typeof sessionSchema>)
  })

  app.post('/api/session', async (c) => {
    if (!gate) throw new PlanspanError('not_found', 'This server asks for no token.')
    if (!isFromHere(c)) return refuseForeign(c, gate)
    const { token } = checkParameters(await readSmallJson(c, '{"token": "…"}'), SESSION_BODY)
    const admitted = gate.admit({ token }, { scope: 'read', from: addressOf(peerOf(c)) })
    if ('why' in admitted) return answerRefusal(c, admitted, 'read')
    admitted.release()
    giveSession(c, sessionKeyOf(token), admitted.principal.expiresAt)
    return c.body(null, 204)
  })

  app.delete('/api/session', (c) => {
    if (gate && !isFromHere(c)) return refuseForeign(c, gate)
    takeSession(c)
    return c.body(null, 204)
  })

  return app
}
