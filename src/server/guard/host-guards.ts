import type { ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { answerProblem, isAllowed } from '../http/index.js'

import { isFromHere } from './request-credentials.js'

/** Rejects a Host header that does not form a valid URL, such as `xn--localhost`. */
export const refuseInvalidHosts: MiddlewareHandler = async (c, next) => {
  if (URL.canParse(c.req.url)) return next()
  return refuse(
    c,
    400,
    `The Host header, ${c.req.header('host') ?? ''}, is no host. Send this server's name or address.`,
  )
}

/**
 * Rejects requests whose Host is a domain name. A web page can make its own domain resolve to 127.0.0.1 (DNS rebinding)
 * and could then read every record; it cannot do so with an IP address or `localhost`.
 */
export const refuseForeignHosts: MiddlewareHandler = async (c, next) => {
  const host = new URL(c.req.url).hostname
  const isOwn = host === 'localhost' || host.endsWith('.localhost') || isIP(host.replaceAll(/[[\]]/g, '')) !== 0
  if (!isOwn) {
    return refuse(c, 403, `This server answers to localhost and 127.0.0.1 alone, not to ${host}. Start it with --host.`)
  }
  return next()
}

/**
 * Rejects requests from web pages of another origin, unless it is allowed: a browser lets any page post plain text and
 * forms anywhere, but always sends the page's origin along.
 */
export const refuseForeignOrigins: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin')
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  if (isFromHere(c) || isAllowed(origin, outgoing)) return next()
  return refuse(c, 403, `Pages of ${origin ?? 'other sites'} may not change here what is stored.`)
}

/** Clients of other systems' interfaces expect no problem details. */
const OTHERS = /^\/(?:v1|api\/executor)\//

const refuse = (c: Context, status: 400 | 403, detail: string): Response =>
  OTHERS.test(c.req.path)
    ? c.text(detail, status)
    : answerProblem(c, { status, code: status === 403 ? 'access_denied' : 'usage', detail })
