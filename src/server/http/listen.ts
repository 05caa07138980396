import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'

import { bindPort } from './bind-port.js'
import { limitConnections } from './limit-connections.js'
import { requestListener, type Fetch, type RequestOptions } from './request-listener.js'
import type { Certificate } from '../tls/certificate.js'

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

const OPTIONS = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: HEADERS_MS,
  connectionsCheckingInterval: CHECK_MS,
}

export interface ListenOptions extends RequestOptions {
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  /** What TLS is spoken with. @default HTTP is spoken without */
  readonly certificate?: Certificate | undefined
}

/** Serves HTTP on an address. Throws `port_in_use`, and `usage` for an address that this machine does not have. */
export async function listen(fetch: Fetch, { port, host, certificate, ...options }: ListenOptions): Promise<Listener> {
  const server = certificate ? tlsServer(certificate) : createServer(OPTIONS)
  limitConnections(server)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const open = new Set<ServerResponse>()
  server.on('request', (_, response) => {
    if (!server.listening) endConnectionAfter(response)
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  server.on('request', requestListener(fetch, options))
  const close = (cut: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const response of open) endConnectionAfter(response)
      const end = (): void => {
        // Those in their handshake, too.
        for (const socket of sockets) socket.destroy()
      }
      if (cut.aborted) end()
      else cut.addEventListener('abort', end, { once: true })
    })
  return { port: await bindPort(server, { host, port, option: '--port' }), close }
}

function tlsServer(certificate: Certificate): Server {
  const server = createTlsServer({ ...OPTIONS, ...certificate.options })
  certificate.keep(server)
  return server
}

/** Node closes idle connections with the server, but lets a client keep one that was busy then. */
function endConnectionAfter(response: ServerResponse): void {
  // The head, if it is yet to be sent, says `connection: close`.
  response.shouldKeepAlive = false
  const { socket } = response.req
  if (response.headersSent) response.once('finish', () => socket.destroySoon())
}
