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
import { CONNECTION_LIMITS } from './connection-limits.js'
import { turns } from './turns.js'

export interface Listener {
  readonly port: number
  /** Stops accepting connections. Resolves when the requests in progress are answered, or when `cut` ends them. */
  close(cut: AbortSignal): Promise<void>
}

// Longer than clients keep idle connections, so that the client closes first and no request meets a closed connection.
const KEEP_ALIVE_MS = 75_000
/** The interval of checking the time for the head of a request. */
const CHECK_MS = 5_000

const OPTIONS = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: CONNECTION_LIMITS.headMs,
  connectionsCheckingInterval: CHECK_MS,
  maxHeaderSize: CONNECTION_LIMITS.httpHeadBytes,
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
  const answer = requestListener(fetch, options)
  const begun = new WeakMap<Socket, Begun>()
  server.on('request', (request, response) => {
    const { socket } = request
    const of = begun.get(socket) ?? { open: 0, refused: 0 }
    begun.set(socket, of)
    // Clients that wait for their responses have one request under way.
    if (++of.open > CONNECTION_LIMITS.pipelined) {
      socket.destroy()
      return
    }
    response.once('close', () => of.open--)
    response.once('finish', () => {
      discardRest(request)
      of.refused = isRefused(response) ? of.refused + 1 : 0
      if (of.refused >= CONNECTION_LIMITS.refused) socket.destroySoon()
    })
    turns.run(socket, () => {
      if (!socket.destroyed) answer(request, response)
    })
  })
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

/** The requests of a connection. */
interface Begun {
  open: number
  /** Those in a row that were rejected because of their credentials. */
  refused: number
}

/** Reads the rest of a body that was answered early: a client that still sends would not see the response otherwise. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  const timer = setTimeout(() => request.socket.destroy(), CONNECTION_LIMITS.discardMs).unref()
  request.resume().once('close', () => clearTimeout(timer))
}

const isRefused = ({ statusCode }: ServerResponse): boolean => statusCode === 401 || statusCode === 403

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
  getRequestListener(
    fetch: Fetch,
    options: { overrideGlobalObjects: boolean; autoCleanupIncoming: boolean },
  ): RequestListener
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
  const answer = nodeServer.getRequestListener(fetch, {
    overrideGlobalObjects: false,
    // It closes connections whose body does not arrive within half a second after an early response.
    autoCleanupIncoming: false,
  })
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
