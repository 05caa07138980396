import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'

import { toWellFormed } from '../../semconv/index.js'
import { type Address, bindPort, limitConnections, type Listener, turns } from '../http/index.js'
import { REQUEST_ID, requestIdFrom, type RequestWatch, traceHeadersOf } from '../telemetry/index.js'
import type { Certificate } from '../tls/index.js'
import { SessionGuard, SESSION_OPTIONS } from './session-guard.js'
import { framed } from './unary-message.js'
import { GRPC_CODE } from './grpc-status.js'

/** The response to a call: a message or an error. */
export type UnaryAnswer =
  | { readonly ok: true; readonly message: Uint8Array }
  | {
      readonly ok: false
      readonly code: number
      readonly details: string
      /** A google.rpc.Status with details. */
      readonly status?: Uint8Array
    }

/** Answers a call. Only the headers of the call have been read. */
export type UnaryHandler = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  requestId: string,
) => Promise<UnaryAnswer>

export interface UnaryOptions extends Address {
  /** The certificate for TLS. @default no TLS */
  readonly certificate?: Certificate | undefined
  /** Receives each call. @default none */
  readonly requests?: RequestWatch | undefined
}

/**
 * Serves unary gRPC calls by path. Unlike grpc-js, it lets the handler read the message, so that the handler can limit
 * the compressed and uncompressed size. Throws `port_in_use`, and `usage` for an address that is not of this machine.
 */
export async function listenUnary(
  handlers: ReadonlyMap<string, UnaryHandler>,
  { certificate, requests, ...address }: UnaryOptions,
): Promise<Listener> {
  const server = certificate ? tlsServer(certificate) : createServer(SESSION_OPTIONS)
  limitConnections(server)
  const sessions = new Set<ServerHttp2Session>()
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const guards = new WeakMap<object, SessionGuard>()
  server.on('session', (session) => {
    guards.set(session, new SessionGuard(session))
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  // A broken connection or call needs no cleanup.
  server.on('sessionError', () => {})
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw: string[]) => {
    stream.on('error', () => {})
    const { session } = stream
    const guard = session && guards.get(session)
    if (!session || !guard?.permits(raw)) return
    turns.run(session, () => {
      if (stream.destroyed) return
      const id = requestIdFrom(headers[REQUEST_ID])
      const isKnown = handlers.has(headers[':path'] ?? '')
      const call = beginCall(requests, { id, isKnown }, stream, headers)
      const end = (status: number): void => {
        call.end(status)
        stream.once('close', () => guard.answered(status))
      }
      void call.run(() => answerCall(stream, headers, { handlers, id, end }))
    })
  })
  const port = await bindPort(server, address)
  const close = (cut: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        for (const session of sessions) session.destroy()
        // A connection that never used HTTP/2 has no session.
        for (const socket of sockets) socket.destroy()
      }
      server.close(() => resolve())
      for (const session of sessions) session.close()
      if (cut.aborted) end()
      else cut.addEventListener('abort', end, { once: true })
    })
  return { port, close }
}

function tlsServer(certificate: Certificate): Http2SecureServer {
  const server = createSecureServer({ ...SESSION_OPTIONS, ...certificate.options })
  certificate.keep(server)
  return server
}

interface Answering {
  readonly handlers: ReadonlyMap<string, UnaryHandler>
  readonly id: string
  readonly end: BegunCall['end']
}

async function answerCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { handlers, id, end: over }: Answering,
): Promise<void> {
  const isGrpc = headers[':method'] === 'POST' && headers['content-type']?.startsWith('application/grpc') === true
  if (!isGrpc) return end(stream, { ':status': 415 })
  const path = headers[':path'] ?? ''
  const handler = handlers.get(path)
  const answer: UnaryAnswer = handler
    ? await handler(stream, headers, id)
    : { ok: false, code: GRPC_CODE.unimplemented, details: `There is no ${path} here.` }
  if (stream.closed || stream.destroyed) return
  if (answer.ok) {
    over(0)
    stream.respond({ ...HEAD, [REQUEST_ID]: id }, { waitForTrailers: true })
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': 0 }))
    stream.end(framed(answer.message))
    return
  }
  over(answer.code)
  end(stream, {
    ...HEAD,
    [REQUEST_ID]: id,
    'grpc-status': answer.code,
    'grpc-message': encodeURI(toWellFormed(answer.details)),
    ...(answer.status && { 'grpc-status-details-bin': Buffer.from(answer.status).toString('base64') }),
  })
}

interface BegunCall {
  readonly run: <T>(answer: () => T) => T
  /** Receives the status before it is sent. */
  readonly end: (status: number) => void
}

function beginCall(
  requests: RequestWatch | undefined,
  known: { readonly id: string; readonly isKnown: boolean },
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): BegunCall {
  if (!requests) return { run: (answer) => answer(), end: () => {} }
  const { ':method': method = '', ':path': path = '' } = headers
  const from = stream.session?.socket.remoteAddress ?? ''
  const traceHeaders = traceHeadersOf(headers)
  const begun = requests.begin({ protocol: 'grpc', ...known, method, path, from, traceHeaders })
  let status: number | undefined
  stream.once('close', () => begun.end({ status: status ?? GRPC_CODE.cancelled, isBroken: status === undefined }))
  return { run: (answer) => begun.run(answer), end: (answered) => (status = answered) }
}

const HEAD = { ':status': 200, 'content-type': 'application/grpc+proto' }

/** Responds with headers only, and ignores the remaining data of the client. */
function end(stream: ServerHttp2Stream, head: Record<string, string | number>): void {
  stream.respond(head, { endStream: true })
  if (stream.readableEnded) return
  stream.resume()
  stream.close(constants.NGHTTP2_NO_ERROR)
}
