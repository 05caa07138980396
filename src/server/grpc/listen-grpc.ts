import type * as Grpc from '@grpc/grpc-js'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

import { PlanspanError } from '../../error.js'
import { installAdvice, OPTIONAL_PARTS } from '../../base/advice.js'
import { type Address, bindPort, CONNECTION_LIMITS, limitConnections, type Listener } from '../http/index.js'
import type { RequestWatch } from '../telemetry/index.js'
import type { Certificate } from '../tls/index.js'
import { guardCalls, type Caller, type RefusedCall } from './admit-call.js'
import { type BegunCalls, watchCalls } from './watch-calls.js'

export interface GrpcService {
  readonly definition: Grpc.ServiceDefinition
  readonly handlers: Grpc.UntypedServiceImplementation
}

export interface GrpcListenerOptions extends Address {
  /** The maximum size of a message, uncompressed, bytes. */
  readonly maxRequestBytes: number
  readonly services: (grpc: typeof Grpc) => readonly GrpcService[]
  /** Admits or rejects a call before its message is read. @default admits all */
  readonly admit?: Admit
  /** Receives each call. @default none */
  readonly requests?: RequestWatch | undefined
  /** The calls in progress. */
  readonly calls: BegunCalls
  /** The certificate for TLS. @default no TLS */
  readonly certificate?: Certificate | undefined
}

/** Admits or rejects a call. The call's handler receives the same `metadata` object. */
export type Admit = (caller: Caller, metadata: Grpc.Metadata) => { release(): void } | RefusedCall

/**
 * Serves gRPC on an address. Throws `missing_dependency` when @grpc/grpc-js is not installed, `port_in_use`, and
 * `usage` for an address that this machine does not have.
 */
export async function listenGrpc({
  maxRequestBytes,
  services,
  admit,
  requests,
  calls,
  certificate,
  ...address
}: GrpcListenerOptions): Promise<Listener> {
  const grpc = await importGrpc(address.option)
  const sockets = new Map<string, Socket>()
  const refusals = new WeakMap<Socket, number>()
  const count = (peer: string, isRefused: boolean): void => {
    const socket = sockets.get(peer)
    if (!socket) return
    const refused = isRefused ? (refusals.get(socket) ?? 0) + 1 : 0
    refusals.set(socket, refused)
    if (refused >= CONNECTION_LIMITS.refused) socket.destroy()
  }
  const server = new grpc.Server({
    'grpc.max_receive_message_length': maxRequestBytes,
    'grpc.max_concurrent_streams': CONNECTION_LIMITS.firstCalls,
    // The first interceptor sees the responses of the others.
    interceptors: [watchCalls(grpc, calls, requests), ...(admit ? [guardCalls(grpc, admit, count)] : [])],
  })
  for (const { definition, handlers } of services(grpc)) server.addService(definition, handlers)
  const connections = server.createConnectionInjector(grpc.ServerCredentials.createInsecure())
  // A separate listener, because grpc-js only logs the reason why it can't listen.
  const listener = listenerOf(certificate, (socket) => connections.injectConnection(socket))
  listener.on('connection', (socket: Socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`
    sockets.set(peer, socket)
    socket.once('close', () => sockets.delete(peer))
  })
  limitConnections(listener)
  const port = await bindPort(listener, address)
  const close = (cut: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        server.forceShutdown()
        // grpc-js keeps connections open that the client does not close.
        for (const socket of sockets.values()) socket.destroy()
        resolve()
      }
      listener.close()
      server.tryShutdown(end)
      if (cut.aborted) end()
      else cut.addEventListener('abort', end, { once: true })
    })
  return { port, close }
}

const OPTIONS = { allowHalfOpen: true, noDelay: true }

function listenerOf(certificate: Certificate | undefined, take: (socket: Socket) => void): Server {
  if (!certificate) return createServer(OPTIONS, take)
  const server = createTlsServer({ ...OPTIONS, ...certificate.options, ALPNProtocols: ['h2'] }, take)
  certificate.keep(server)
  return server
}

async function importGrpc(option: string): Promise<typeof Grpc> {
  try {
    return await import('@grpc/grpc-js')
  } catch (error) {
    throw new PlanspanError(
      'missing_dependency',
      `${option} needs @grpc/grpc-js, which is not installed. ${installAdvice(OPTIONAL_PARTS.grpc)}`,
      { cause: error },
    )
  }
}
