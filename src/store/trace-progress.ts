import { querySql, readRows, type QueryTarget } from './query.js'

/** The progress of a trace. */
export interface TraceProgress {
  /** The number of rows of ended plan spans; a span that is stored twice counts twice. Of a foreign trace its spans. */
  readonly rows: number
  /** The latest end of a span or snapshot of a plan, Unix nanoseconds. */
  readonly end: bigint
}

export interface TraceProgressOptions {
  readonly traceIds: readonly string[]
  /** A time before which none of their spans starts, Unix nanoseconds. */
  readonly since: bigint
}

interface ProgressRow {
  traceId: string
  rows: number | string
  end: string
}

/**
 * Reads the progress of traces, without reading their spans; those that are not stored are left out. Of a trace without
 * a plan of planspan's own all spans count.
 */
export async function traceProgress(
  target: QueryTarget,
  { traceIds, since }: TraceProgressOptions,
): Promise<Map<string, TraceProgress>> {
  const { database } = target
  const own = await readRows<ProgressRow>(target, querySql('trace_progress', { database }), {
    traceIds,
    since: String(since),
  })
  const known = new Set(own.map(({ traceId }) => traceId))
  const others = traceIds.filter((traceId) => !known.has(traceId))
  const foreign =
    others.length === 0
      ? []
      : await readRows<ProgressRow>(target, querySql('foreign_progress', { database }), { traceIds: others })
  return new Map(
    [...own, ...foreign].map(({ traceId, rows, end }) => [traceId, { rows: Number(rows), end: BigInt(end) }]),
  )
}
