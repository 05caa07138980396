import type { StoredSpan } from '../../semconv/index.js'
import { toStoredSpan, type SpanRow } from '../stored-span.js'
import { parseRows } from './parse-rows.js'

/** The spans in the rows of `queries/read_traces.sql`. Throws `clickhouse_failed` for what is no row. */
export async function* readSpans(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StoredSpan[], void, undefined> {
  for await (const rows of parseRows<SpanRow & { TraceId: string }>(pieces)) {
    yield rows.map((row) => toStoredSpan(row.TraceId, row))
  }
}
