import type { DescService } from '@bufbuild/protobuf'

import type { PlanspanError } from '../../error.js'
import type { TraceReader as StoreReader } from '../../store/index.js'
import { listenGrpc, type GrpcService } from '../grpc/listen-grpc.js'
import type { Listener } from '../listen.js'
import { definitionOf, handlersOf, type ServiceMethods } from './grpc-service.js'
import { capabilities, dependencyReader, traceReader } from './services.js'
import { Capabilities, DependencyReader, TraceReader } from './storage_pb.js'

export interface JaegerListenerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The reason why the store is not available at the moment. */
  readonly outage: () => PlanspanError | undefined
}

/** Requests are small: a search and its tags at most. */
const MAX_REQUEST_BYTES = 1 << 20

/** Serves Jaeger's remote storage v2 over gRPC. Throws what `listenGrpc` throws. */
export function listenJaeger(reader: StoreReader, { outage, ...address }: JaegerListenerOptions): Promise<Listener> {
  const serve = <Service extends DescService>(service: Service, methods: ServiceMethods<Service>): GrpcService => ({
    definition: definitionOf(service),
    handlers: handlersOf(service, methods, outage),
  })
  return listenGrpc({
    ...address,
    option: '--jaeger-port',
    maxRequestBytes: MAX_REQUEST_BYTES,
    services: () => [
      serve(TraceReader, traceReader(reader)),
      serve(DependencyReader, dependencyReader(reader)),
      serve(Capabilities, capabilities),
    ],
  })
}
