import { createMcpHandler } from '@modelcontextprotocol/server'

import { type ClientOptions, createClient } from '../client/index.js'
import { createMcpServer } from './mcp-server.js'

/** Handles a request of MCP's streamable HTTP without a session. The tools use the given fetch and headers. */
export type McpHandler = (request: Request, ask: Pick<ClientOptions, 'fetch' | 'headers'>) => Promise<Response>

/** The maximum size of a request body, bytes. */
const MAX_BODY_BYTES = 1 << 20

/**
 * Creates a stateless handler. Its endpoint is a placeholder, because the tools' requests never leave the process.
 */
export function createHttpHandler(): McpHandler {
  const endpoint = 'http://localhost'
  return (request, ask) =>
    createMcpHandler(() => createMcpServer(createClient({ endpoint, ...ask })), {
      maxRequestBodySize: MAX_BODY_BYTES,
      maxSubscriptions: 0,
    }).fetch(request)
}
