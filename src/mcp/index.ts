export { createHttpHandler } from './http-handler.js'
export type { McpHandler } from './http-handler.js'
export { serveOnStdio } from './stdio.js'
