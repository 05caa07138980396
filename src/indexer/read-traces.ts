import { type QueryTarget, readFailures, readRowKeys, streamTraceRows } from '../store/index.js'
import { KnownTrace, keyText, type Written } from './known-trace.js'

/** Reads stored traces, with the keys of the rows that were written for them. */
export async function readTraces(
  target: QueryTarget,
  traceIds: readonly string[],
  maxSpans: number,
): Promise<Map<string, KnownTrace>> {
  const traces = new Map<string, KnownTrace>()
  for (const batch of batchesOf(traceIds, WITH_SPANS)) {
    const [written] = await Promise.all([
      readWritten(target, batch, { hasSpans: false }),
      collect(target, batch, { traces, maxSpans, isWhole: false }),
    ])
    for (const [traceId, ofTrace] of written) {
      const trace = traces.get(traceId)
      if (trace) trace.written = ofTrace
      else traces.set(traceId, new KnownTrace(traceId, maxSpans, ofTrace))
    }
  }
  return traces
}

/**
 * Reads the data that was written for some traces: the keys of the rows, and the reasons of failures. `hasSpans` states
 * that no span of these traces was deleted.
 */
export async function readWritten(
  target: QueryTarget,
  traceIds: readonly string[],
  { hasSpans }: { readonly hasSpans: boolean },
): Promise<Map<string, Written>> {
  const written = new Map<string, Written>()
  for (const batch of batchesOf(traceIds, WITH_KEYS)) {
    const [keysOf, failures] = await Promise.all([
      readRowKeys(target, batch, { hasSpans }),
      readFailures(target, batch),
    ])
    for (const traceId of new Set([...keysOf.keys(), ...failures.keys()])) {
      const keys = keysOf.get(traceId) ?? []
      const rows = new Map(keys.map((key) => [keyText(key), { key, digest: '' }]))
      written.set(traceId, { rows, failure: failures.get(traceId) })
    }
  }
  return written
}

/** Reads traces again with the content of their calls. Keeps the known rows that were written for them. */
export async function readContent(
  target: QueryTarget,
  known: readonly KnownTrace[],
  maxSpans: number,
): Promise<Map<string, KnownTrace>> {
  const traces = new Map<string, KnownTrace>()
  const ids = known.map(({ traceId }) => traceId)
  for (const batch of batchesOf(ids, WITH_SPANS)) {
    await collect(target, batch, { traces, maxSpans, isWhole: true })
  }
  for (const { traceId, written } of known) {
    const trace = traces.get(traceId)
    if (trace) trace.written = written
  }
  return traces
}

interface Collecting {
  readonly traces: Map<string, KnownTrace>
  readonly maxSpans: number
  readonly isWhole: boolean
}

async function collect(
  target: QueryTarget,
  traceIds: readonly string[],
  { traces, maxSpans, isWhole }: Collecting,
): Promise<void> {
  for await (const spans of streamTraceRows(target, traceIds, { isWhole })) {
    for (const span of spans) {
      const { traceId } = span
      const trace = traces.get(traceId) ?? new KnownTrace(traceId, maxSpans)
      traces.set(traceId, trace)
      trace.add(span, { isWhole })
    }
  }
}

/** The maximum number of traces in a query for their spans, and in one for the keys of their rows. */
const WITH_SPANS = 200
const WITH_KEYS = 2_000

function* batchesOf(traceIds: readonly string[], size: number): Generator<readonly string[]> {
  for (let at = 0; at < traceIds.length; at += size) yield traceIds.slice(at, at + size)
}
