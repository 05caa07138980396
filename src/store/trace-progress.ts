import { querySql, readRows, type QueryTarget } from './query.js'

/** The progress of a trace. */
export interface TraceProgress {
  /** The number of rows of ended plan spans; a span that is stored twice counts twice. */
  readonly rows: number
  /** The latest end of a span or snapshot of a plan, Unix nanoseconds. */
  readonly end: bigint
}

export interface TraceProgressOptions {
  readonly traceIds: readonly string[]
  /** A time before which none of their spans starts, Unix nanoseconds. */
  readonly since: bigint
}

/** Reads the progress of traces, without reading their spans; traces without a plan are left out. */
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
