import { type QueryTarget, OF_TRACES, readRows } from '../client/query.js'
import { fillSql } from '../client/sql-file.js'

/** The maximum number of traces per query. */
const PAGE = 10_000

/** Counts the traces with spans that start at a time, Unix seconds, or later. */
export async function countTracesSince(target: QueryTarget, since: number): Promise<number> {
  const [row] = await readRows<{ traces: number | string }>(
    target,
    `SELECT uniqExact(TraceId) AS traces FROM ${target.database}.otel_traces_trace_id_ts
     WHERE toUnixTimestamp(End) >= {since:Int64}`,
    { since: String(since) },
  )
  return Number(row?.traces ?? 0)
}

/** Finds the traces with spans that start at a time, Unix seconds, or later; those with the latest spans first. */
export async function* tracesSince(target: QueryTarget, since: number): AsyncGenerator<string[], void, undefined> {
  let last = { end: Number.MAX_SAFE_INTEGER, traceId: '' }
  for (;;) {
    const rows: { traceId: string; end: number }[] = await readRows(
      target,
      `SELECT TraceId AS traceId, toUnixTimestamp(End) AS end FROM ${target.database}.otel_traces_trace_id_ts
       WHERE end >= {since:Int64} AND (end, traceId) < ({end:Int64}, {traceId:String})
       ORDER BY end DESC, traceId DESC LIMIT ${String(PAGE)}`,
      { since: String(since), end: String(last.end), traceId: last.traceId },
    )
    const next = rows.at(-1)
    if (!next) return
    // The table has several rows for a trace until ClickHouse merges them.
    yield [...new Set(rows.map(({ traceId }) => traceId))]
    last = next
  }
}

/** Counts the stored rows of some traces. */
export async function countTraceRows(target: QueryTarget, traceIds: readonly string[]): Promise<Map<string, number>> {
  const { database } = target
  const rows = await readRows<{ traceId: string; rowCount: number | string }>(
    target,
    fillSql(
      `SELECT TraceId AS traceId, count() AS rowCount FROM \${database}.otel_traces
       WHERE ${OF_TRACES} GROUP BY traceId`,
      { database },
    ),
    { traceIds: [...traceIds] },
  )
  return new Map(rows.map(({ traceId, rowCount }) => [traceId, Number(rowCount)]))
}
