import { createServer, type Server } from 'node:http'

import { bindPort } from './bind-port.js'
import { requestListener } from './request-listener.js'
import { withTimeout } from './with-timeout.js'

export interface Listener {
  readonly port: number
  /** Stops accepting requests; resolves when those in progress are answered, or after `graceMs` milliseconds. */
  close(graceMs: number): Promise<void>
}

// Longer than clients keep idle connections, so that the client closes first and no request meets a closed connection.
const KEEP_ALIVE_MS = 75_000

/** Serves HTTP on an address. Throws `port_in_use`, and `usage` for an address that this machine does not have. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, host }: { port: number; host: string },
): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, requestListener(fetch))
  return {
    port: await bindPort(server, { host, port, option: '--port' }),
    close: (graceMs) => closeServer(server, graceMs),
  }
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  await withTimeout(graceMs, closed, () => server.closeAllConnections())
}
