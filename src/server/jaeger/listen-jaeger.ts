import type { DescService } from '@bufbuild/protobuf'
import type * as Grpc from '@grpc/grpc-js'
import { createServer } from 'node:net'

import { PlanspanError } from '../../error.js'
import { installAdvice, OPTIONAL_PARTS } from '../../optional-packages.js'
import type { TraceReader as StoreReader } from '../../store/index.js'
import { bindPort } from '../bind-port.js'
import { withTimeout } from '../with-timeout.js'
import { definitionOf, handlersOf, type ServiceMethods } from './grpc-service.js'
import { capabilities, dependencyReader, traceReader } from './services.js'
import { Capabilities, DependencyReader, TraceReader } from './storage_pb.js'

export interface JaegerListener {
  readonly port: number
  /** Stops accepting calls; resolves when those in progress are answered, or after `graceMs` milliseconds. */
  close(graceMs: number): Promise<void>
}

export interface JaegerListenerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The reason why the store is not available at the moment. */
  readonly outage: () => PlanspanError | undefined
}

/**
 * Serves Jaeger's remote storage v2 over gRPC. Throws `missing_dependency` when @grpc/grpc-js is not installed,
 * `port_in_use`, and `usage` for an address that this machine does not have.
 */
export async function listenJaeger(reader: StoreReader, options: JaegerListenerOptions): Promise<JaegerListener> {
  const { host, port, outage } = options
  const grpc = await importGrpc()
  const server = new grpc.Server({ 'grpc.max_receive_message_length': MAX_REQUEST_BYTES })
  const serve = <Service extends DescService>(service: Service, methods: ServiceMethods<Service>): void =>
    server.addService(definitionOf(service), handlersOf(service, methods, outage))
  serve(TraceReader, traceReader(reader))
  serve(DependencyReader, dependencyReader(reader))
  serve(Capabilities, capabilities)
  const connections = server.createConnectionInjector(grpc.ServerCredentials.createInsecure())
  // A listener of our own, since grpc-js reports why it can't listen on the console only.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    connections.injectConnection(socket),
  )
  const bound = await bindPort(listener, { host, port, option: '--jaeger-port' })
  const close = async (graceMs: number): Promise<void> => {
    listener.close()
    const closed = new Promise<void>((resolve) => {
      server.tryShutdown(() => resolve())
    })
    await withTimeout(graceMs, closed, () => server.forceShutdown())
  }
  return { port: bound, close }
}

/** Requests are small: a search and its tags at most. */
const MAX_REQUEST_BYTES = 1 << 20

async function importGrpc(): Promise<typeof Grpc> {
  try {
    return await import('@grpc/grpc-js')
  } catch (error) {
    throw new PlanspanError(
      'missing_dependency',
      `The interface for Jaeger needs @grpc/grpc-js, which is not installed. ${installAdvice(OPTIONAL_PARTS.jaeger)}`,
      { cause: error },
    )
  }
}
