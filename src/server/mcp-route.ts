import { Hono, type Context } from 'hono'

import { PlanspanError } from '../error.js'
import type { McpHandler } from '../mcp/index.js'
import { refuseForeignOrigins } from './guard/index.js'
import { addRoute, readSmallBody } from './http/index.js'

/** What a client shows itself by, to this server as to each of its paths. */
const CREDENTIALS = ['authorization', 'cookie']

/** What tools ask is asked of. */
export type Ask = (url: string, init: RequestInit, env: Context['env']) => Response | Promise<Response>

/** The connection that a message came over, without the message's body: a tool's own request has another one. */
function envOf({ env }: Context): Context['env'] {
  const { incoming, ...others } = (env ?? {}) as { incoming?: { readonly socket: unknown } }
  return { ...others, ...(incoming && { incoming: { socket: incoming.socket } }) }
}

/**
 * `POST /mcp`: MCP's streamable HTTP, without sessions, so that GET and DELETE are answered with 405. Its tools ask the
 * HTTP interface itself, in the name of who asks them: what that refuses, they cannot have.
 */
export function mcpRoute(ask: Ask): Hono {
  const app = new Hono()
  let handler: Promise<McpHandler> | undefined
  // The SDK takes a tenth of a second to load, which those need not wait for who never use it.
  const load = async (): Promise<McpHandler> => (await import('../mcp/index.js')).createHttpHandler()

  addRoute(app, 'ALL /mcp', refuseForeignOrigins, async (c) => {
    const { method, url, headers, signal } = c.req.raw
    const body = method === 'POST' ? await readSmallBody(c) : undefined
    if (method === 'POST' && !body)
      throw new PlanspanError('request_too_large', 'The message is too large, or has no end.')
    const request = new Request(url, { method, headers, signal, ...(body && { body }) })
    const shown = CREDENTIALS.flatMap((name) => {
      const value = c.req.header(name)
      return value === undefined ? [] : [[name, value] as const]
    })
    const answer = await (handler ??= load())
    return answer(request, {
      fetch: (url, init) => ask(url, init, envOf(c)),
      headers: Object.fromEntries(shown),
    })
  })

  return app
}
