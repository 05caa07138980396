import type * as Grpc from '@grpc/grpc-js'
import { createServer } from 'node:net'

import { PlanspanError } from '../../error.js'
import { installAdvice, OPTIONAL_PARTS } from '../../optional-packages.js'
import { bindPort, type Address } from '../bind-port.js'
import type { Listener } from '../listen.js'
import { withTimeout } from '../with-timeout.js'

export interface GrpcService {
  readonly definition: Grpc.ServiceDefinition
  readonly handlers: Grpc.UntypedServiceImplementation
}

export interface GrpcListenerOptions extends Address {
  /** The largest message accepted, uncompressed. */
  readonly maxRequestBytes: number
  readonly services: (grpc: typeof Grpc) => readonly GrpcService[]
}

/**
 * Serves gRPC on an address. Throws `missing_dependency` when @grpc/grpc-js is not installed, `port_in_use`, and
 * `usage` for an address that this machine does not have.
 */
export async function listenGrpc({ maxRequestBytes, services, ...address }: GrpcListenerOptions): Promise<Listener> {
  const grpc = await importGrpc(address.option)
  const server = new grpc.Server({ 'grpc.max_receive_message_length': maxRequestBytes })
  for (const { definition, handlers } of services(grpc)) server.addService(definition, handlers)
  const connections = server.createConnectionInjector(grpc.ServerCredentials.createInsecure())
  // A listener of our own, since grpc-js reports why it can't listen on the console only.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    connections.injectConnection(socket),
  )
  const port = await bindPort(listener, address)
  const close = async (graceMs: number): Promise<void> => {
    listener.close()
    const closed = new Promise<void>((resolve) => {
      server.tryShutdown(() => resolve())
    })
    await withTimeout(graceMs, closed, () => server.forceShutdown())
  }
  return { port, close }
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
