import type { Context } from 'hono'
import type { IncomingMessage } from 'node:http'

/** The peer of a request's connection, as `address:port`; requests without a connection have none. */
export function peerOf(c: Context): string | undefined {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  return incoming && `${incoming.socket.remoteAddress}:${incoming.socket.remotePort}`
}

/** Returns the address of a peer; empty without a connection. */
export const addressOf = (peer = ''): string => peer.slice(0, Math.max(0, peer.lastIndexOf(':')))
