import type { Context } from 'hono'

import type { Credentials, Principal } from '../../access/index.js'

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

/** The cookie that contains a session's key. */
export const SESSION_COOKIE = 'planspan_session'

/** Browsers keep no cookie for longer than 400 days. */
const LONGEST_SECONDS = 400 * 86_400

/** Returns the session key of a request; undefined without one. */
function sessionKeyIn(c: Context): string | undefined {
  const pairs = c.req.header('cookie')?.split(';') ?? []
  const start = `${SESSION_COOKIE}=`
  return pairs
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length)
}

/** Sets a session key in the browser, until a time or until the browser is closed. */
export function giveSession(c: Context, key: string, expiresAt: string | undefined): void {
  const seconds = expiresAt === undefined ? undefined : Math.ceil((Date.parse(expiresAt) - Date.now()) / 1000)
  setCookie(c, key, seconds === undefined ? undefined : Math.min(seconds, LONGEST_SECONDS))
}

export const takeSession = (c: Context): void => setCookie(c, '', 0)

function setCookie(c: Context, value: string, maxAge: number | undefined): void {
  // A proxy may have terminated TLS; the browser's origin has the scheme that it sees.
  const isSecure = new URL(c.req.url).protocol === 'https:' || c.req.header('origin')?.startsWith('https:') === true
  const parts = [
    `${SESSION_COOKIE}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ...(isSecure ? ['Secure'] : []),
  ]
  c.header('set-cookie', parts.join('; '))
}

const principals = new WeakMap<Request, Principal>()

export const setPrincipal = (c: Context, principal: Principal): void => void principals.set(c.req.raw, principal)

/** Returns the principal of a request; undefined if the request needs no token. */
export const principalOf = (c: Context): Principal | undefined => principals.get(c.req.raw)
