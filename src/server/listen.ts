import { createServer, type ServerResponse } from 'node:http'

import { bindPort } from './bind-port.js'
import { limitConnections } from './limit-connections.js'
import { requestListener } from './request-listener.js'

export interface Listener {
  readonly port: number
  /** Stops accepting; resolves when the requests in progress are answered, or `cut` has ended their connections. */
  close(cut: AbortSignal): Promise<void>
}

// Longer than clients keep idle connections, so that the client closes first and no request meets a closed connection.
const KEEP_ALIVE_MS = 75_000
/** How long a client may take for the head of a request, and how often that is looked at. */
const HEADERS_MS = 20_000
const CHECK_MS = 5_000

/** Serves HTTP on an address. Throws `port_in_use`, and `usage` for an address that this machine does not have. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, host }: { port: number; host: string },
): Promise<Listener> {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: CHECK_MS,
  })
  limitConnections(server)
  const open = new Set<ServerResponse>()
  server.on('request', (_, response) => {
    if (!server.listening) endConnectionAfter(response)
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  server.on('request', requestListener(fetch))
  const close = (cut: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const response of open) endConnectionAfter(response)
      const end = (): void => server.closeAllConnections()
      if (cut.aborted) end()
      else cut.addEventListener('abort', end, { once: true })
    })
  return { port: await bindPort(server, { host, port, option: '--port' }), close }
}

/** Node closes idle connections with the server, but lets a client keep one that was busy then. */
function endConnectionAfter(response: ServerResponse): void {
  // The head, if it is yet to be sent, says `connection: close`.
  response.shouldKeepAlive = false
  const { socket } = response.req
  if (response.headersSent) response.once('finish', () => socket.destroySoon())
}
