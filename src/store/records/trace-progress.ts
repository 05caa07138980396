import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { findPlanPlaces } from './linked-traces.js'
import { inPlaces } from './trace-places.js'

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

/**
 * Reads the progress of traces and of those in which their plans go on, without reading their spans. Traces that are
 * not stored are left out.
 */
export async function traceProgress(
  target: QueryTarget,
  traceIds: readonly string[],
): Promise<Map<string, TraceProgress>> {
  const { places, planOf } = await findPlanPlaces(target, traceIds)
  if (places.length === 0) return new Map()
  const query = querySql('trace_progress', { database: target.database, in_places: inPlaces(places) })
  const progress = new Map<string, TraceProgress>()
  for (const { traceId, rows, end } of await readRows<ProgressRow>(target, query)) {
    const plan = planOf.get(traceId) ?? traceId
    const { rows: before, end: last } = progress.get(plan) ?? { rows: 0, end: 0n }
    progress.set(plan, { rows: before + Number(rows), end: last > BigInt(end) ? last : BigInt(end) })
  }
  return progress
}
