import type { StoredSpan } from '../../../semconv/index.js'

/** Whether a span belongs to the Model Context Protocol: the client's or the server's side of a tool call. */
export const isServed = ({ attributes, scopeName, kind }: StoredSpan): boolean =>
  'mcp.method.name' in attributes || kind === 'Server' || MCP.test(scopeName)

const MCP = /(^|[^a-z])(fast)?mcp([^a-z]|$)/i
