import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { findPlaces, inPlaces } from './trace-places.js'

/** The progress of a trace. */
export interface TraceProgress {
  /** The number of ended spans and of log records. */
  readonly rows: number
  /** The latest end of a span or snapshot, Unix nanoseconds. */
  readonly end: bigint
}

interface ProgressRow {
  readonly traceId: string
  readonly rows: number | string
  readonly end: string
}

/** Reads the progress of traces, without reading their spans; those that are not stored are left out. */
export async function traceProgress(
  target: QueryTarget,
  traceIds: readonly string[],
): Promise<Map<string, TraceProgress>> {
  const places = await findPlaces(target, traceIds)
  if (places.length === 0) return new Map()
  const query = querySql('trace_progress', { database: target.database, in_places: inPlaces(places) })
  const rows = await readRows<ProgressRow>(target, query)
  return new Map(rows.map(({ traceId, rows: spans, end }) => [traceId, { rows: Number(spans), end: BigInt(end) }]))
}
