import type { FoundTrace, TraceReader } from '../../store/index.js'
import { readRequest } from './read-message.js'
import {
  readFindTraces,
  readGetDependencies,
  readGetOperations,
  readGetTraces,
  type TraceParams,
} from './read-requests.js'
import { toStoredKind } from './trace-query.js'
import { tracesData } from './traces-data.js'
import {
  capabilitiesResponse,
  dependenciesResponse,
  operationsResponse,
  servicesResponse,
  summariesResponse,
  traceIdsResponse,
} from './write-responses.js'

/** A gRPC method over the bytes of its messages. */
export type Method =
  | { readonly kind: 'unary'; readonly answer: (request: Uint8Array) => Promise<Uint8Array> }
  | { readonly kind: 'stream'; readonly answer: (request: Uint8Array) => AsyncIterable<Uint8Array> }

const unary = (answer: (request: Uint8Array) => Promise<Uint8Array>): Method => ({ kind: 'unary', answer })
const stream = (answer: (request: Uint8Array) => AsyncIterable<Uint8Array>): Method => ({ kind: 'stream', answer })

/**
 * The reading half of Jaeger's remote storage v2 (https://github.com/jaegertracing/jaeger-idl, proto/storage/v2): methods
 * by service and name.
 */
export const jaegerServices = (reader: TraceReader): Readonly<Record<string, Readonly<Record<string, Method>>>> => ({
  'jaeger.storage.v2.TraceReader': {
    GetTraces: stream((bytes) => streamTraces(reader, readRequest('GetTracesRequest', bytes, readGetTraces))),
    GetServices: unary(async () => servicesResponse(await reader.services())),
    GetOperations: unary(async (bytes) => {
      const { service, spanKind } = readRequest('GetOperationsRequest', bytes, readGetOperations)
      return operationsResponse(await reader.operations(service, toStoredKind(spanKind)))
    }),
    FindTraces: stream((bytes) => findTraces(reader, bytes)),
    FindTraceIDs: unary(async (bytes) => traceIdsResponse(await search(reader, bytes))),
    FindTraceSummaries: stream((bytes) => findSummaries(reader, bytes)),
  },
  'jaeger.storage.v2.DependencyReader': {
    GetDependencies: unary(async (bytes) => {
      const interval = readRequest('GetDependenciesRequest', bytes, readGetDependencies)
      return dependenciesResponse(await reader.dependencies(interval))
    }),
  },
  'jaeger.storage.v2.Capabilities': {
    GetCapabilities: unary(async () => capabilitiesResponse()),
  },
})

const search = (reader: TraceReader, bytes: Uint8Array): Promise<FoundTrace[]> =>
  reader.searchTraces(readRequest('FindTracesRequest', bytes, readFindTraces))

async function* findTraces(reader: TraceReader, bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield* streamTraces(reader, await search(reader, bytes))
}

/** One trace after the other, so that no message holds spans of two and no more than one is being read. */
async function* streamTraces(
  reader: TraceReader,
  traces: readonly TraceParams[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const { traceId, since, until } of traces) yield* tracesData(reader.streamSpans(traceId, { since, until }))
}

const SUMMARIES_AT_ONCE = 100

async function* findSummaries(reader: TraceReader, bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  const found = await search(reader, bytes)
  for (let at = 0; at < found.length; at += SUMMARIES_AT_ONCE) {
    const traceIds = found.slice(at, at + SUMMARIES_AT_ONCE).map(({ traceId }) => traceId)
    yield summariesResponse(await reader.summarizeTraces(traceIds))
  }
}
