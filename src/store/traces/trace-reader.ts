import type { ClickHouseClient } from '@clickhouse/client'

import { querySql, readRows, type QueryTarget } from '../client/query.js'
import type { FinalSpan } from './final-span.js'
import { searchTraces, type FoundTrace, type TraceQuery } from './search-traces.js'
import { streamTraces } from './stream-traces.js'
import { summarizeTraces, type TraceSummary } from './trace-summary.js'

/** A span name of a service. */
export interface Operation {
  readonly name: string
  /** `Internal`, `Client`, … as stored. */
  readonly kind: string
}

/** The number of spans of one service whose parent is a span of another service, or of the same one. */
export interface Dependency {
  readonly parent: string
  readonly child: string
  readonly calls: bigint
}

/**
 * Reads traces for a tracing UI: each span once, an open one as its last snapshot. A read-only user is enough. Errors:
 * `store_unreachable`, `schema_mismatch`.
 */
export interface TraceReader {
  services(): Promise<string[]>
  /** The span names of a service, of one kind or all. */
  operations(service: string, kind?: string): Promise<Operation[]>
  /** Finds the traces with a span that matches a query, newest first. */
  searchTraces(query: TraceQuery): Promise<FoundTrace[]>
  /** Summaries of up to a few hundred traces, in the given order; those that are not stored are left out. */
  summarizeTraces(traceIds: readonly string[]): Promise<TraceSummary[]>
  /** Streams the spans of traces, one trace after the other in the given order; a trace may come in several parts. */
  streamTraces(traceIds: readonly string[]): AsyncGenerator<readonly FinalSpan[], void, undefined>
  /** Dependencies between services in the newest 1,000 traces of an interval. */
  dependencies(interval?: Interval): Promise<Dependency[]>
}

const DEPENDENCY_TRACES = 1_000

/** Creates a reader of the traces in a database. The URL is the client's, for error messages. */
export function createTraceReader(client: ClickHouseClient, options: Omit<QueryTarget, 'client'>): TraceReader {
  const target = { client, ...options }
  const { database } = options
  return {
    async services() {
      await target.indexed?.()
      const rows = await readRows<{ service: string }>(target, querySql('services', { database }))
      return rows.map(({ service }) => service)
    },
    async operations(service, kind = '') {
      await target.indexed?.()
      return readRows<Operation>(target, querySql('operations', { database }), { service, kind })
    },
    searchTraces: (query) => searchTraces(target, query),
    summarizeTraces: (traceIds) => summarizeTraces(target, traceIds),
    streamTraces: (traceIds) => streamTraces(target, traceIds),
    async dependencies(interval = {}) {
      const rows = await readRows<{ parent: string; child: string; calls: string }>(
        target,
        querySql('dependencies', { database }),
        { ...intervalParams(interval), traces: DEPENDENCY_TRACES },
      )
      return rows.map(({ parent, child, calls }) => ({ parent, child, calls: BigInt(calls) }))
    },
  }
}

/** An interval of time, nanoseconds since the Unix epoch. */
export interface Interval {
  readonly since?: bigint | undefined
  readonly until?: bigint | undefined
}

const LATEST = (2n ** 32n - 1n) * 1_000_000_000n

/** An interval as query parameters, limited to the range of DateTime, which `otel_traces_trace_id_ts` uses. */
const intervalParams = ({ since = 0n, until = LATEST }: Interval): { since: string; until: string } => ({
  since: String(since > 0n ? since : 0n),
  until: String(until < LATEST ? (until > 0n ? until : 0n) : LATEST),
})
