import { createServer, type Server, type ServerResponse, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

import type { SpanWriter } from '../../store/ingest/index.js'
import { withTimeout } from '../async.js'
import { REQUEST_ID, requestIdFrom, traceHeadersOf, type BegunRequest, type RequestWatch } from '../telemetry/index.js'
import type { Certificate } from '../tls/index.js'
import type { AllowedOrigins } from './allowed-origins.js'
import { bindPort, limitConnections } from './bind-port.js'

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

interface NodeServer {
  getRequestListener(fetch: Fetch, options: { overrideGlobalObjects: boolean }): RequestListener
}

// Loaded without its types: they refer to the DOM's WebSocket events, which Node's types declare differently or not at
// all.
const nodeServer = createRequire(import.meta.url)('@hono/node-server') as NodeServer

type Fetch = (request: Request) => Response | Promise<Response>

/** Options for all requests. */
interface RequestOptions {
  /** Other origins whose pages have access. @default none */
  readonly origins?: AllowedOrigins | undefined
  /** Receives each request. @default none */
  readonly requests?: RequestWatch | undefined
}

/** Converts a fetch handler to a node:http listener, without replacing the global Request and Response. */
function requestListener(fetch: Fetch, { origins, requests }: RequestOptions = {}): RequestListener {
  const answer = nodeServer.getRequestListener(fetch, { overrideGlobalObjects: false })
  return (request, response) => {
    const id = requestIdFrom(request.headers[REQUEST_ID])
    response.setHeader(REQUEST_ID, id)
    const begun = requests && begin(requests, id, request, response)
    if (origins?.answer(request, response)) return
    if (begun) begun.run(() => answer(request, response))
    else answer(request, response)
  }
}

function begin(requests: RequestWatch, id: string, request: IncomingMessage, response: ServerResponse): BegunRequest {
  const { method = '', url: path = '', socket, headers } = request
  const from = socket.remoteAddress ?? ''
  const scheme = socket instanceof TLSSocket ? 'https' : 'http'
  const traceHeaders = traceHeadersOf(headers)
  const begun = requests.begin({ protocol: 'http', id, method, path, scheme, from, traceHeaders })
  response.once('close', () => {
    // The header of streams for proxies.
    const isStream = response.getHeader('x-accel-buffering') === 'no'
    begun.end({ status: response.statusCode, isBroken: !response.writableFinished, isStream })
  })
  return begun
}

const GRACE_MS = 1_000
const STORING_MS = 6_500
const ANSWER_MS = 250

/**
 * Stops accepting requests and answers the requests in progress: all of them for `graceMs` milliseconds, then only
 * requests whose spans are being stored. Senders retry aborted requests.
 */
export async function drain(
  listeners: readonly Listener[],
  writer: Pick<SpanWriter, 'close'>,
  graceMs = GRACE_MS,
): Promise<void> {
  const cut = new AbortController()
  const closed = Promise.all(listeners.map((listener) => listener.close(cut.signal))).then(() => true)
  if (await withTimeout(graceMs, closed, () => false)) return
  await withTimeout(STORING_MS, writer.close(), () => {})
  await withTimeout(ANSWER_MS, closed, () => false)
  cut.abort()
  await closed
}
