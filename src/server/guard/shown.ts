import type { Context } from 'hono'

import type { Shown } from '../../access/index.js'
import { sessionKeyIn } from './session-cookie.js'

/** What a request shows itself by. A token stands above a session. */
export function shownBy(c: Context): Shown {
  const authorization = c.req.header('authorization')
  if (authorization !== undefined) return { token: bearerToken(authorization) }
  return { sessionKey: sessionKeyIn(c) }
}

/** The token of an Authorization header; empty, which no token is, where it has none. */
export const bearerToken = (authorization: string): string => /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''

/**
 * Whether a request comes from planspan's own page, from an address that a person typed, or from no browser. Browsers
 * send a session's cookie with requests of other ports and, some of them, subdomains as well.
 */
export function isFromHere(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = c.req.header('origin')
  // A proxy that ends TLS speaks HTTP here.
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === c.req.header('host'))
}
