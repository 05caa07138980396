import type { MiddlewareHandler } from 'hono'
import { isIP } from 'node:net'

/** Whether an address can be reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Refuses a Host header that makes no valid URL, such as `xn--localhost`. */
export const refuseInvalidHosts: MiddlewareHandler = async (c, next) => {
  if (URL.canParse(c.req.url)) return next()
  return c.text(`The Host header, ${c.req.header('host') ?? ''}, is no host. Send this server's name or address.`, 400)
}

/**
 * Refuses requests whose Host is a domain name. A web page can make its own domain resolve to 127.0.0.1 (DNS rebinding)
 * and could then read every record; it cannot do so with an IP address or `localhost`.
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
 * Refuses requests from web pages of another origin: a browser lets any page post plain text and forms anywhere, but
 * always sends the page's origin along.
 */
export const refuseForeignOrigins: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== new URL(c.req.url).origin) {
    return c.text(`Pages of ${origin} may not send records here.`, 403)
  }
  return next()
}
