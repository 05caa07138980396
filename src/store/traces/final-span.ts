import type { StoredSpan } from '../../semconv/index.js'
import { querySql, streamRows, type QueryTarget } from '../query.js'
import { toStoredSpan, type SpanRow } from '../stored-span.js'

/** A span that has ended, with all that a tracing UI shows of it. */
export interface FinalSpan extends StoredSpan {
  readonly traceState: string
  readonly scopeVersion: string
}

/** About when a trace was, nanoseconds since the Unix epoch. */
export interface TimeHint {
  readonly since?: bigint | undefined
  readonly until?: bigint | undefined
}

interface FinalSpanRow extends SpanRow {
  TraceState: string
  ScopeVersion: string
}

const LATEST = (2n ** 32n - 1n) * 1_000_000_000n

/** The hint as a query takes it: within the times of `otel_traces_trace_id_ts`, which are DateTime. */
export const timeParams = ({ since = 0n, until = LATEST }: TimeHint): { since: string; until: string } => ({
  since: String(since > 0n ? since : 0n),
  until: String(until < LATEST ? (until > 0n ? until : 0n) : LATEST),
})

/**
 * A trace's spans that have ended, once each and in no order, as they arrive. A trace that was at no time within the
 * hint has none.
 */
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
