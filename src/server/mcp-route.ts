import { Hono, type Context } from 'hono'

import { PlanspanError } from '../error.js'
import type { McpHandler } from '../mcp/index.js'
import { refuseForeignOrigins } from './guard/index.js'
import { addRoute, readSmallBody } from './http/index.js'

/** The headers that contain a client's credentials, which the tools' requests repeat. */
const CREDENTIALS = ['authorization', 'cookie']

/** Answers the requests of tools. */
export type Ask = (url: string, init: RequestInit, env: Context['env']) => Response | Promise<Response>

/** The connection of a message without its body, because a tool's request has a different body. */
function envOf({ env }: Context): Context['env'] {
  const { incoming, ...others } = (env ?? {}) as { incoming?: { readonly socket: unknown } }
  return { ...others, ...(incoming && { incoming: { socket: incoming.socket } }) }
}

/**
 * `POST /mcp`: MCP's streamable HTTP without sessions; GET and DELETE are answered with 405. Its tools send requests to
 * the HTTP interface with the caller's credentials, and so have the caller's access.
 */
export function mcpRoute(ask: Ask): Hono {
  const app = new Hono()
  let handler: Promise<McpHandler> | undefined
  // The SDK takes a tenth of a second to load, so it is loaded on first use.
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
