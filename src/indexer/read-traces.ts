import { type QueryTarget, readFailures, readRowKeys, streamTraceRows } from '../store/index.js'
import { KnownTrace, keyText, type Written } from './known-trace.js'

/** Reads traces as they are stored, with what tells apart the rows that were written for them. */
export async function readTraces(
  target: QueryTarget,
  traceIds: readonly string[],
  maxSpans: number,
): Promise<Map<string, KnownTrace>> {
  const traces = new Map<string, KnownTrace>()
  for (const batch of batchesOf(traceIds)) {
    const [written] = await Promise.all([
      readWritten(target, batch),
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

/** Reads what was written for some traces: what tells apart the rows, and why the mapping could not read a trace. */
export async function readWritten(target: QueryTarget, traceIds: readonly string[]): Promise<Map<string, Written>> {
  const written = new Map<string, Written>()
  for (const batch of batchesOf(traceIds)) {
    const [keysOf, failures] = await Promise.all([readRowKeys(target, batch), readFailures(target, batch)])
    for (const traceId of new Set([...keysOf.keys(), ...failures.keys()])) {
      const keys = keysOf.get(traceId) ?? []
      const rows = new Map(keys.map((key) => [keyText(key), { key, digest: '' }]))
      written.set(traceId, { rows, failure: failures.get(traceId) })
    }
  }
  return written
}

/** Reads traces again with the content of their calls, and keeps what is known of the rows written for them. */
export async function readContent(
  target: QueryTarget,
  known: readonly KnownTrace[],
  maxSpans: number,
): Promise<Map<string, KnownTrace>> {
  const traces = new Map<string, KnownTrace>()
  for (const batch of batchesOf(known.map(({ traceId }) => traceId))) {
    await collect(target, batch, { traces, maxSpans, isWhole: true })
  }
  for (const { traceId, written, ended } of known) {
    const trace = traces.get(traceId)
    if (trace) Object.assign(trace, { written, ended })
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

/** How many traces a query names. */
const BATCH = 200

function* batchesOf(traceIds: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < traceIds.length; at += BATCH) yield traceIds.slice(at, at + BATCH)
}
