import { ClickHouseError } from '@clickhouse/client'

import { noteFailures, type QueryTarget } from '../store/index.js'
import { type Indexed, indexTraces, versionOf } from './index-traces.js'
import type { KnownTrace } from './known-trace.js'
import type { Prices } from './known-prices.js'

/**
 * ClickHouse's error codes for invalid rows: CANNOT_PARSE_…, ARGUMENT_OUT_OF_BOUND, INCORRECT_DATA and similar ones.
 */
const UNREADABLE = new Set(['6', '26', '27', '38', '41', '53', '69', '72', '117', '321', '407'])

/**
 * Indexes traces as `indexTraces` does. If ClickHouse rejects the rows of a trace as invalid, the trace is isolated by
 * halving, the other traces are indexed, and the reason is recorded.
 */
export async function indexApart(target: QueryTarget, traces: readonly KnownTrace[], prices: Prices): Promise<Indexed> {
  try {
    return await indexTraces(target, traces, prices)
  } catch (error) {
    const [trace, ...others] = traces
    if (!isUnreadable(error) || !trace) throw error
    if (others.length === 0) {
      const { traceId, written } = trace
      const failure = String(error)
      const isNew = written.failure !== failure
      if (isNew) await noteFailures(target, [{ traceId, version: versionOf(trace, 0), reason: failure }])
      trace.written = { ...written, failure }
      return { settled: [], models: new Set(), affected: [], imports: [], failures: isNew ? 1 : 0, rows: 0 }
    }
    const middle = Math.ceil(traces.length / 2)
    const first = await indexApart(target, traces.slice(0, middle), prices)
    const second = await indexApart(target, traces.slice(middle), prices)
    return {
      settled: [...first.settled, ...second.settled],
      models: new Set([...first.models, ...second.models]),
      affected: [...first.affected, ...second.affected],
      imports: [...first.imports, ...second.imports],
      failures: first.failures + second.failures,
      rows: first.rows + second.rows,
    }
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof ClickHouseError && UNREADABLE.has(error.cause.code)
