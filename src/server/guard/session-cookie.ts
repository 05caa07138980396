import type { Context } from 'hono'

/** The cookie that contains a session's key. */
export const SESSION_COOKIE = 'planspan_session'

/** Browsers keep no cookie for longer than 400 days. */
const LONGEST_SECONDS = 400 * 86_400

/** Returns the session key of a request; undefined without one. */
export function sessionKeyIn(c: Context): string | undefined {
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
