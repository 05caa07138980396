import { z } from 'zod'

import { problemSchema } from './problem-schema.js'
import { FOUND, json, type RouteTable } from './route-table.js'

/** The body of `POST /api/session`. */
export const SESSION_BODY = z.strictObject({ token: z.string().max(1_000).describe('A token with the scope read.') })

/** The response of `GET /api/session`. */
export const sessionSchema = z.object({
  token: z
    .object({
      name: z.string(),
      scopes: z.array(z.string()).readonly().describe('The scopes of this request.'),
      database: z.string().exactOptional().describe('The tenant’s database; absent for the server’s default database.'),
      expiresAt: z.string().exactOptional().describe('The time when the token expires, ISO 8601.'),
    })
    .nullable()
    .describe('The token of the request; null on a server without tokens.'),
})

export const SESSION_ROUTES = {
  // The token of a new session is in the body of the request.
  'GET /api/session': {
    scope: 'read',
    summary: 'Returns the token that authenticates the request.',
    answers: { 200: json('The token.', sessionSchema) },
  },
  'POST /api/session': {
    scope: 'open',
    summary: 'Exchanges a token for a read-only session cookie, for planspan’s own page.',
    body: SESSION_BODY,
    answers: {
      204: { description: 'The cookie.', headers: ['set-cookie'] },
      400: FOUND[400],
      401: json('The token is unknown or has expired.', problemSchema),
      403: json('The token lacks the scope read, or a page of another origin sent the request.', problemSchema),
      404: json('The server has no tokens.', problemSchema),
      429: json('Too many requests with the token. Retry after Retry-After seconds.', problemSchema),
      503: FOUND[503],
    },
  },
  'DELETE /api/session': {
    scope: 'open',
    summary: 'Removes the session cookie.',
    answers: {
      204: { description: 'The cookie is removed.', headers: ['set-cookie'] },
      403: json('A page of another origin sent the request.', problemSchema),
    },
  },
} as const satisfies RouteTable
