export { createHttpHandler, serveOnStdio } from './mcp-server.js'
export type { McpHandler } from './mcp-server.js'
