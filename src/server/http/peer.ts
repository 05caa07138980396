import type { Context } from 'hono'
import type { IncomingMessage } from 'node:http'

/** The other end of the connection of a request that came over one, as `address:port`. */
export function peerOf(c: Context): string | undefined {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  return incoming && `${incoming.socket.remoteAddress}:${incoming.socket.remotePort}`
}

/** The address of a peer; empty for a request without a connection. */
export const addressOf = (peer = ''): string => peer.slice(0, Math.max(0, peer.lastIndexOf(':')))
