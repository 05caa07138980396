import type { Context } from 'hono'

import type { Credentials } from '../../access/index.js'
import { sessionKeyIn } from './session-cookie.js'

/** Returns the credentials of a request. A token takes precedence over a session. */
export function shownBy(c: Context): Credentials {
  const authorization = c.req.header('authorization')
  if (authorization !== undefined) return { token: bearerToken(authorization) }
  return { sessionKey: sessionKeyIn(c) }
}

/** Returns the token of an Authorization header; an empty text, which is never a token, without one. */
export const bearerToken = (authorization: string): string => /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''

/**
 * Whether a request comes from planspan's own page, from an address that a person typed, or from no browser. Browsers
 * send a session's cookie with requests of other ports and, some of them, subdomains as well.
 */
export function isFromHere(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = c.req.header('origin')
  return origin === undefined || (URL.canParse(origin) && isOwnOrigin(c, new URL(origin)))
}

/** A proxy that ends TLS speaks HTTP here, so that the page's scheme says nothing, unless the request came over TLS. */
function isOwnOrigin(c: Context, { host, protocol }: URL): boolean {
  const here = new URL(c.req.url)
  // A forged header only makes the check stricter.
  const isOverTls = here.protocol === 'https:' || c.req.header('x-forwarded-proto') === 'https'
  return host === here.host && (protocol === 'https:' || !isOverTls)
}
