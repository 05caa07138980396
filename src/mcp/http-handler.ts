import { createMcpHandler } from '@modelcontextprotocol/server'

import { type ClientOptions, createClient } from '../client/index.js'
import { createMcpServer } from './mcp-server.js'

/** Answers a request of MCP's streamable HTTP, without a session; what its tools ask goes the way of the options. */
export type McpHandler = (request: Request, ask: Pick<ClientOptions, 'fetch' | 'headers'>) => Promise<Response>

/** Questions are short. */
const MAX_BODY_BYTES = 1 << 20

/**
 * A handler that keeps nothing between requests. The path of the endpoint does not matter: what is asked never leaves
 * the process.
 */
export function createHttpHandler(): McpHandler {
  const endpoint = 'http://localhost'
  return (request, ask) =>
    createMcpHandler(() => createMcpServer(createClient({ endpoint, ...ask })), {
      maxRequestBodySize: MAX_BODY_BYTES,
      maxSubscriptions: 0,
    }).fetch(request)
}
