import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'

import type { Certificate } from '../tls/index.js'
import { bindPort } from './bind-port.js'
import { limitConnections } from './limit-connections.js'
import { requestListener, type Fetch, type RequestOptions } from './request-listener.js'

export interface Listener {
  readonly port: number
  /** Stops accepting connections. Resolves when the requests in progress are answered, or when `cut` ends them. */
  close(cut: AbortSignal): Promise<void>
}

// Longer than clients keep idle connections, so that the client closes first and no request meets a closed connection.
const KEEP_ALIVE_MS = 75_000
/** The maximum time that a client takes for the head of a request, and the interval of checking it. */
const HEADERS_MS = 20_000
const CHECK_MS = 5_000
/** The maximum size of the head of a request. A path holds ids of records, which may be long. */
const MAX_HEADER_BYTES = 64 << 10

const OPTIONS = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: HEADERS_MS,
  connectionsCheckingInterval: CHECK_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
}

export interface ListenOptions extends RequestOptions {
  /** 0 selects a free port. */
  readonly port: number
  readonly host: string
  /** The certificate for TLS. @default no TLS */
  readonly certificate?: Certificate | undefined
}

/** Serves HTTP on an address. Throws `port_in_use`, and `usage` for an address that is not of this machine. */
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
        // Includes connections in their TLS handshake.
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

/** Closes a busy connection after its response. Node itself closes only the idle ones with the server. */
function endConnectionAfter(response: ServerResponse): void {
  // Adds `connection: close` if the head is not sent yet.
  response.shouldKeepAlive = false
  const { socket } = response.req
  if (response.headersSent) response.once('finish', () => socket.destroySoon())
}
