import type { StoredSpan } from '../../mapping/span.js'
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

export const EARLIEST = -(2n ** 63n)
export const LATEST = 2n ** 63n - 1n

/** A trace's spans that have ended, once each and in no order, as they arrive. A trace that was at no time within the hint has none. */
export async function* streamFinalSpans(
  target: QueryTarget,
  traceId: string,
  { since = EARLIEST, until = LATEST }: TimeHint = {},
): AsyncGenerator<FinalSpan, void, undefined> {
  const sql = querySql('final_spans', { database: target.database })
  const params = { traceId, since: String(since), until: String(until) }
  for await (const row of streamRows<FinalSpanRow>(target, sql, params)) {
    yield { ...toStoredSpan(traceId, row), traceState: row.TraceState, scopeVersion: row.ScopeVersion }
  }
}
