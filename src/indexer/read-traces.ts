import type { StoredSpan } from '../semconv/index.js'
import { type QueryTarget, readRowKeys, streamTraceRows } from '../store/index.js'
import { KnownTrace, keyText } from './known-trace.js'

/** Reads traces as they are stored, with what tells apart the rows that were written for them. */
export async function readTraces(target: QueryTarget, traceIds: readonly string[]): Promise<Map<string, KnownTrace>> {
  const traces = new Map<string, KnownTrace>()
  for (const batch of batchesOf(traceIds)) {
    const [written] = await Promise.all([
      readWritten(target, batch),
      collect(target, batch, { traces, isWhole: false }),
    ])
    for (const [traceId, rows] of written) {
      const trace = traces.get(traceId)
      if (trace) trace.written = rows
      else traces.set(traceId, new KnownTrace(traceId, rows))
    }
  }
  return traces
}

/** Reads what tells apart the rows that were written for some traces. */
export async function readWritten(
  target: QueryTarget,
  traceIds: readonly string[],
): Promise<Map<string, KnownTrace['written']>> {
  const written = new Map<string, KnownTrace['written']>()
  for (const batch of batchesOf(traceIds)) {
    for (const [traceId, keys] of await readRowKeys(target, batch)) {
      written.set(traceId, new Map(keys.map((key) => [keyText(key), { key, digest: '' }])))
    }
  }
  return written
}

/** Reads traces again with the content of their calls, and keeps what is known of the rows written for them. */
export async function readContent(target: QueryTarget, known: readonly KnownTrace[]): Promise<Map<string, KnownTrace>> {
  const traces = new Map<string, KnownTrace>()
  for (const batch of batchesOf(known.map(({ traceId }) => traceId))) {
    await collect(target, batch, { traces, isWhole: true })
  }
  for (const { traceId, written, hasFailed, ended } of known) {
    const trace = traces.get(traceId)
    if (trace) Object.assign(trace, { written, hasFailed, ended })
  }
  return traces
}

async function collect(
  target: QueryTarget,
  traceIds: readonly string[],
  { traces, isWhole }: { readonly traces: Map<string, KnownTrace>; readonly isWhole: boolean },
): Promise<void> {
  for await (const spans of streamTraceRows(target, traceIds, { isWhole })) {
    for (const span of spans) traceOf(traces, span).add(span, { isWhole })
  }
}

function traceOf(traces: Map<string, KnownTrace>, { traceId }: StoredSpan): KnownTrace {
  const found = traces.get(traceId)
  if (found) return found
  const trace = new KnownTrace(traceId)
  traces.set(traceId, trace)
  return trace
}

/** How many traces a query names. */
const BATCH = 200

function* batchesOf(traceIds: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < traceIds.length; at += BATCH) yield traceIds.slice(at, at + BATCH)
}
