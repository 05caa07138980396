import type { MiddlewareHandler } from 'hono'
import { isIP } from 'node:net'

/** Whether an address is this machine's own alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Refuses a Host header that looks like a name or an address and is none, such as `xn--localhost`: it makes no URL. */
export const refuseInvalidHosts: MiddlewareHandler = async (c, next) => {
  if (URL.canParse(c.req.url)) return next()
  return c.text(`The Host header, ${c.req.header('host') ?? ''}, is no host. Send this server's name or address.`, 400)
}

/**
 * Refuses requests that name this server by a domain. A web page can make a name of its own lead to 127.0.0.1 (DNS
 * rebinding) and would then read every record; it can do so with no address and not with `localhost`.
 */
export const refuseForeignHosts: MiddlewareHandler = async (c, next) => {
  const host = new URL(c.req.url).hostname
  const isOwn = host === 'localhost' || host.endsWith('.localhost') || isIP(host.replaceAll(/[[\]]/g, '')) !== 0
  if (!isOwn) {
    return c.text(`This server answers to localhost and 127.0.0.1 alone, not to ${host}. Start it with --host.`, 403)
  }
  return next()
}

/**
 * Refuses what a web page of another origin sends: a browser lets it post plain text and forms anywhere, and always
 * says whose page it was.
 */
export const refuseForeignOrigins: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== new URL(c.req.url).origin) {
    return c.text(`Pages of ${origin} may not send records here.`, 403)
  }
  return next()
}
