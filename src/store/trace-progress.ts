import { querySql, readRows, type QueryTarget } from './query.js'

/** How far a trace has come. */
export interface TraceProgress {
  /** Rows of plans' spans that have ended; a span that is stored twice counts twice. */
  readonly rows: number
  /** The latest end of a span or snapshot of a plan, Unix nanoseconds. */
  readonly end: bigint
}

export interface TraceProgressOptions {
  readonly traceIds: readonly string[]
  /** No span of them starts before this time, Unix nanoseconds. */
  readonly since: bigint
}

/** How far traces have come, without reading their spans; those that hold no plan are left out. */
export async function traceProgress(
  target: QueryTarget,
  { traceIds, since }: TraceProgressOptions,
): Promise<Map<string, TraceProgress>> {
  const query = querySql('trace_progress', { database: target.database })
  const rows = await readRows<{ traceId: string; rows: number | string; end: string }>(target, query, {
    traceIds,
    since: String(since),
  })
  return new Map(rows.map(({ traceId, rows: count, end }) => [traceId, { rows: Number(count), end: BigInt(end) }]))
}
