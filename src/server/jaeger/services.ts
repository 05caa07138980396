import type { MessageInitShape } from '@bufbuild/protobuf'

import { PlanspanError } from '../../error.js'
import type { EncodedTracesDataSchema } from '../../otlp/trace_pb.js'
import type { FoundTrace, TraceReader as StoreReader, TraceSummary } from '../../store/index.js'
import type { ServiceMethods } from './grpc-service.js'
import type {
  Capabilities,
  DependencyReader,
  FindTracesRequest,
  FindTraceSummariesResponseSchema,
  TraceParams,
  TraceReader,
  TraceSummarySchema,
} from './storage_pb.js'
import { fromTimestamp, toTimestamp, toUnixNano } from './timestamps.js'
import { toJaegerKind, toStoredKind, toTraceQuery } from './traces-query.js'
import { tracesData } from './traces-data.js'

type TracesDataStream = AsyncGenerator<MessageInitShape<typeof EncodedTracesDataSchema>, void, undefined>
type SummariesStream = AsyncGenerator<MessageInitShape<typeof FindTraceSummariesResponseSchema>, void, undefined>

/** Jaeger's TraceReader over the store. */
export const traceReader = (reader: StoreReader): ServiceMethods<typeof TraceReader> => ({
  getTraces: ({ query }) => tracesData(reader.streamTraces(query.map(wantedTrace))),
  getServices: async () => ({ services: await reader.services() }),
  async getOperations({ service, spanKind }) {
    const operations = await reader.operations(service, toStoredKind(spanKind))
    return { operations: operations.map(({ name, kind }) => ({ name, spanKind: toJaegerKind(kind) })) }
  },
  findTraces: (request) => findTraces(reader, request),
  async findTraceIDs(request) {
    const found = await search(reader, request)
    return {
      traces: found.map(({ traceId, first, last }) => ({
        traceId: Buffer.from(traceId, 'hex'),
        start: toTimestamp(first),
        end: toTimestamp(last),
      })),
    }
  },
  findTraceSummaries: (request) => findSummaries(reader, request),
})

/** Jaeger's DependencyReader over the store: the number of calls between services. */
export const dependencyReader = (reader: StoreReader): ServiceMethods<typeof DependencyReader> => ({
  async getDependencies(request) {
    const dependencies = await reader.dependencies({
      since: fromTimestamp(request.startTime),
      until: fromTimestamp(request.endTime),
    })
    return {
      dependencies: dependencies.map(({ parent, child, calls }) => ({
        parent,
        child,
        callCount: calls,
        source: 'planspan',
      })),
    }
  },
})

/** The search capabilities that Jaeger requests. */
export const capabilities: ServiceMethods<typeof Capabilities> = {
  getCapabilities: async () => ({ search: { withoutService: true, oneSpanMatchesAll: true } }),
}

const search = (reader: StoreReader, { query }: FindTracesRequest): Promise<FoundTrace[]> =>
  reader.searchTraces(toTraceQuery(query))

async function* findTraces(reader: StoreReader, request: FindTracesRequest): TracesDataStream {
  const found = await search(reader, request)
  yield* tracesData(reader.streamTraces(found.map(({ traceId }) => traceId)))
}

const SUMMARY_BATCH = 100

async function* findSummaries(reader: StoreReader, request: FindTracesRequest): SummariesStream {
  const found = await search(reader, request)
  for (let at = 0; at < found.length; at += SUMMARY_BATCH) {
    const traceIds = found.slice(at, at + SUMMARY_BATCH).map(({ traceId }) => traceId)
    const summaries = await reader.summarizeTraces(traceIds)
    yield { summaries: summaries.map(toSummary) }
  }
}

/**
 * Returns the id of a requested trace. Throws `usage` if it is not 16 bytes long. The times of the request are ignored,
 * because Jaeger sends the times of its default search if the user gave none.
 */
function wantedTrace({ traceId }: TraceParams): string {
  if (traceId.length !== 16) {
    throw new PlanspanError('usage', `A trace id has 16 bytes, not ${String(traceId.length)}.`)
  }
  return Buffer.from(traceId).toString('hex')
}

const toSummary = (summary: TraceSummary): MessageInitShape<typeof TraceSummarySchema> => ({
  traceId: Buffer.from(summary.traceId, 'hex'),
  rootServiceName: summary.rootService,
  rootOperationName: summary.rootName,
  startTimeUnixNano: toUnixNano(summary.start),
  endTimeUnixNano: toUnixNano(summary.end),
  spanCount: summary.spans,
  errorSpanCount: summary.errors,
  orphanSpanCount: summary.orphans,
  services: summary.services.map(({ name, spans, errors }) => ({ name, spanCount: spans, errorSpanCount: errors })),
})
