import type { StoredSpan } from '../../semconv/index.js'
import { querySql, streamRows, type QueryTarget } from '../query.js'
import { toStoredSpan, type SpanRow } from '../stored-span.js'

/** An ended span with everything that a tracing UI shows. */
export interface FinalSpan extends StoredSpan {
  readonly traceState: string
  readonly scopeVersion: string
}

/** The approximate time of a trace, nanoseconds since the Unix epoch. */
export interface TimeHint {
  readonly since?: bigint | undefined
  readonly until?: bigint | undefined
}

interface FinalSpanRow extends SpanRow {
  TraceState: string
  ScopeVersion: string
}

const LATEST = (2n ** 32n - 1n) * 1_000_000_000n

/** The hint as query parameters, limited to the range of DateTime, which `otel_traces_trace_id_ts` uses. */
export const timeParams = ({ since = 0n, until = LATEST }: TimeHint): { since: string; until: string } => ({
  since: String(since > 0n ? since : 0n),
  until: String(until < LATEST ? (until > 0n ? until : 0n) : LATEST),
})

/** Streams a trace's ended spans, once each, unordered. A trace that lies entirely outside the hint has none. */
export async function* streamFinalSpans(
  target: QueryTarget,
  traceId: string,
  hint: TimeHint = {},
): AsyncGenerator<FinalSpan, void, undefined> {
  const sql = querySql('final_spans', { database: target.database })
  for await (const row of streamRows<FinalSpanRow>(target, sql, { traceId, ...timeParams(hint) })) {
    yield { ...toStoredSpan(traceId, row), traceState: row.TraceState, scopeVersion: row.ScopeVersion }
  }
}
