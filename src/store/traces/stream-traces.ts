import type { QueryTarget } from '../client/query.js'
import { planRemarks } from './plan-remarks.js'
import { readFinalSpans, hasUnsafeAction, UnsafeActions, type FinalSpan } from './final-span.js'

/** The maximum number of traces per query: their ids fit into 8 kB, the longest URL of some proxies. */
const BATCH_TRACES = 180
/** The maximum size of a buffered answer, bytes. */
const BATCH_BYTES = 24_000_000
/** The divisor for the size of a batch that is too large. */
const SHRINK = 4

type Spans = readonly FinalSpan[]

/**
 * Streams the spans of traces, once each: one trace after the other in the order of the ids, its spans unordered.
 * A query costs much more than a usual trace, so many traces are read by one query and buffered. Large traces are
 * read separately and never buffered.
 */
export async function* streamTraces(
  target: QueryTarget,
  traceIds: readonly string[],
): AsyncGenerator<Spans, void, undefined> {
  const ids = [...new Set(traceIds)]
  let size = BATCH_TRACES
  for (let at = 0; at < ids.length;) {
    const batch = ids.slice(at, at + size)
    const traces = batch.length > 1 ? await readTogether(target, batch) : undefined
    if (!traces && batch.length > 1) {
      size = Math.ceil(batch.length / SHRINK)
      continue
    }
    const unsafeActions = new UnsafeActions(
      target,
      traces ? batch.filter((id) => traces.get(id)?.some(hasUnsafeAction)) : batch,
    )
    let remarked: Awaited<ReturnType<typeof planRemarks>> | undefined
    for await (const spans of traces ? inOrder(traces, batch) : readFinalSpans(target, batch)) {
      remarked ??= await planRemarks(target, batch)
      yield await unsafeActions.addTo(spans.map(remarked))
    }
    at += batch.length
    size = Math.min(size * 2, BATCH_TRACES)
  }
}

/** Reads the spans of traces, by trace; undefined if they exceed the buffer. */
async function readTogether(
  target: QueryTarget,
  traceIds: readonly string[],
): Promise<Map<string, FinalSpan[]> | undefined> {
  const traces = new Map<string, FinalSpan[]>()
  let bytes = 0
  for await (const spans of readFinalSpans(target, traceIds, (count) => (bytes += count))) {
    if (bytes > BATCH_BYTES) return undefined
    for (const span of spans) {
      const found = traces.get(span.traceId)
      if (found) found.push(span)
      else traces.set(span.traceId, [span])
    }
  }
  return traces
}

/** Yields the traces in order and releases each. */
function* inOrder(traces: Map<string, FinalSpan[]>, traceIds: readonly string[]): Generator<Spans, void, undefined> {
  for (const traceId of traceIds) {
    const spans = traces.get(traceId)
    traces.delete(traceId)
    if (spans) yield spans
  }
}
