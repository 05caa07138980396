import { serveStdio } from '@modelcontextprotocol/server/stdio'

import type { Client } from '../client/index.js'
import { createMcpServer } from './mcp-server.js'

/** Serves MCP on standard input and output until `close` is called or the input ends. */
export function serveOnStdio(client: Client, onError: (error: Error) => void): { close(): Promise<void> } {
  return serveStdio(() => createMcpServer(client), { onerror: onError })
}
