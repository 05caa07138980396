import type { DescService } from '@bufbuild/protobuf'

import type { Gate } from '../../access/index.js'
import type { PlanspanError } from '../../error.js'
import type { TraceReader as StoreReader } from '../../store/index.js'
import { listenGrpc, type GrpcService } from '../grpc/listen-grpc.js'
import { admitCall } from '../guard/admit-call.js'
import type { Listener } from '../listen.js'
import { GRPC_SCOPES } from '../openapi/scopes.js'
import { definitionOf, handlersOf, type ServiceMethods } from './grpc-service.js'
import { capabilities, dependencyReader, traceReader } from './services.js'
import { Capabilities, DependencyReader, TraceReader } from './storage_pb.js'

export interface JaegerListenerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The reason why the store is not available at the moment. */
  readonly outage: () => PlanspanError | undefined
  /** Lets in those with a token. @default everybody is let in */
  readonly gate?: Gate | undefined
}

/** Requests are small: a search and its tags at most. */
const MAX_REQUEST_BYTES = 1 << 20

/** Serves Jaeger's remote storage v2 over gRPC. Throws what `listenGrpc` throws. */
export function listenJaeger(
  reader: StoreReader,
  { outage, gate, ...address }: JaegerListenerOptions,
): Promise<Listener> {
  const serve = <Service extends DescService>(service: Service, methods: ServiceMethods<Service>): GrpcService => ({
    definition: definitionOf(service),
    handlers: handlersOf(service, methods, outage),
  })
  return listenGrpc({
    ...address,
    option: '--jaeger-port',
    maxRequestBytes: MAX_REQUEST_BYTES,
    ...(gate && { admit: (caller) => admitCall(gate, caller, GRPC_SCOPES.jaeger) }),
    services: () => [
      serve(TraceReader, traceReader(reader)),
      serve(DependencyReader, dependencyReader(reader)),
      serve(Capabilities, capabilities),
    ],
  })
}
