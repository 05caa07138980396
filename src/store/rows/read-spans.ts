import { append } from '../../append.js'
import type { StoredSpan } from '../../semconv/index.js'
import { toStoredSpan, type SpanRow } from '../stored-span.js'
import { parseRows } from './parse-rows.js'

/** The spans in the rows of `queries/read_traces.sql`. Throws `clickhouse_failed` for what is no row. */
export async function* readSpans(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StoredSpan[], void, undefined> {
  for await (const rows of parseRows<SpanRow>(pieces)) yield rows.map(toStoredSpan)
}

/** All spans of an answer. Throws as `readSpans` does. */
export async function collectSpans(pieces: AsyncIterable<Uint8Array>): Promise<StoredSpan[]> {
  const spans: StoredSpan[] = []
  for await (const found of readSpans(pieces)) append(spans, found)
  return spans
}

/** Spans by the id of their trace. */
export function byTrace(spans: Iterable<StoredSpan>): Map<string, StoredSpan[]> {
  const traces = new Map<string, StoredSpan[]>()
  for (const span of spans) {
    const found = traces.get(span.traceId)
    if (found) found.push(span)
    else traces.set(span.traceId, [span])
  }
  return traces
}
