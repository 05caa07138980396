import type { StoredSpan } from '../../semconv/index.js'
import { querySql, streamRows, type QueryTarget } from '../query.js'
import { toStoredSpan, type SpanRow } from '../stored-span.js'

/** An ended span with everything that a tracing UI shows. */
export interface FinalSpan extends StoredSpan {
  readonly traceState: string
  readonly scopeVersion: string
}

interface FinalSpanRow extends SpanRow {
  TraceState: string
  ScopeVersion: string
}

/** Streams a trace's ended spans, once each, unordered. */
export async function* streamFinalSpans(
  target: QueryTarget,
  traceId: string,
): AsyncGenerator<FinalSpan, void, undefined> {
  const sql = querySql('final_spans', { database: target.database })
  for await (const row of streamRows<FinalSpanRow>(target, sql, { traceId })) {
    yield { ...toStoredSpan(traceId, row), traceState: row.TraceState, scopeVersion: row.ScopeVersion }
  }
}
