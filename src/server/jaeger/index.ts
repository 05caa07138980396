import type { DescService } from '@bufbuild/protobuf'
import type { Metadata } from '@grpc/grpc-js'

import type { Gate, Principal } from '../../access/index.js'
import type { PlanspanError } from '../../error.js'
import type { TraceReader as StoreReader } from '../../store/index.js'
import { GRPC_SCOPES } from '../../wire/index.js'
import { admitCall, listenGrpc, type BegunCalls, type GrpcService } from '../grpc/index.js'
import type { Listener, ListenOptions } from '../http/index.js'
import { definitionOf, handlersOf, type ServiceMethods } from './grpc-service.js'
import { capabilities, dependencyReader, traceReader } from './services.js'
import { Capabilities, DependencyReader, TraceReader } from './storage_pb.js'

export interface JaegerListenerOptions extends ListenOptions {
  /** Returns the reason why the store is unavailable. */
  readonly outage: () => PlanspanError | undefined
  /** Admits requests with a token. @default admits all requests */
  readonly gate?: Gate | undefined
  /** Returns the reader of a caller's tenant; undefined for the default database. @default the default database */
  readonly readerOf?: (principal: Principal | undefined) => Promise<StoreReader | undefined>
}

/** The maximum size of a request, bytes. Requests are small: a search and its tags at most. */
const MAX_REQUEST_BYTES = 1 << 20

/** Serves Jaeger's remote storage v2 over gRPC. Throws what `listenGrpc` throws. */
export function listenJaeger(
  reader: StoreReader,
  { outage, gate, readerOf, ...address }: JaegerListenerOptions,
): Promise<Listener> {
  // Metadata could be forged, so admitted calls are identified by the metadata object.
  const callers = new WeakMap<Metadata, Principal>()
  const calls: BegunCalls = new WeakMap()
  const readerFor = async (metadata: Metadata) => (await readerOf?.(callers.get(metadata))) ?? reader
  const serve = <Service extends DescService>(
    service: Service,
    methodsOf: (reader: StoreReader) => ServiceMethods<Service>,
  ): GrpcService => ({
    definition: definitionOf(service),
    handlers: handlersOf(service, async (metadata) => methodsOf(await readerFor(metadata)), { outage, calls }),
  })
  return listenGrpc({
    ...address,
    calls,
    option: '--jaeger-port',
    maxRequestBytes: MAX_REQUEST_BYTES,
    ...(gate && {
      admit: (caller, metadata) => {
        const admitted = admitCall(gate, caller, GRPC_SCOPES.jaeger)
        if ('principal' in admitted) callers.set(metadata, admitted.principal)
        return admitted
      },
    }),
    services: () => [
      serve(TraceReader, traceReader),
      serve(DependencyReader, dependencyReader),
      serve(Capabilities, () => capabilities),
    ],
  })
}
