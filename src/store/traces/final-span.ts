import { PENDING, type StoredSpan } from '../../semconv/index.js'
import { querySql, streamBytes, type QueryTarget } from '../client/query.js'
import { WHOLE } from '../records/read-rows.js'
import { parseRows } from '../records/parse-rows.js'
import { literal } from '../client/sql-file.js'
import { findPlaces, inPlaces } from '../records/trace-places.js'
import { toStoredSpan, type SpanRow } from '../records/read-spans.js'
import type { UnsafeAction } from './unsafe-actions.js'

/** An ended span with everything that a tracing UI shows. */
export interface FinalSpan extends StoredSpan {
  readonly traceState: string
  readonly scopeVersion: string
  /** Of a guardrail that found an action unsafe, what came of that; absent where it is not known. */
  readonly unsafeAction?: UnsafeAction
}

const ENDED = `SpanState != ${literal(PENDING)}`

/** Streams the ended spans of traces, once each, unordered; tells how many bytes of an answer have come. */
export async function* readFinalSpans(
  target: QueryTarget,
  traceIds: readonly string[],
  onBytes?: (count: number) => void,
): AsyncGenerator<FinalSpan[], void, undefined> {
  const places = await findPlaces(target, traceIds)
  if (places.length === 0) return
  const parts = { database: target.database, in_places: inPlaces(places) }
  const sql = querySql('read_traces', { ...parts, ...WHOLE, among: ENDED, more: ',\n  TraceState,\n  ScopeVersion' })
  const pieces = counted(streamBytes(target, sql), onBytes)
  for await (const rows of parseRows<SpanRow>(pieces)) yield rows.map(toFinalSpan)
}

/** Adds to the object at hand: to spread one of so many properties takes longer than to parse its row. */
const toFinalSpan = (row: SpanRow): FinalSpan =>
  Object.assign(toStoredSpan(row), { traceState: row[19] ?? '', scopeVersion: row[20] ?? '' })

async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  onBytes: ((count: number) => void) | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    onBytes?.(piece.length)
    yield piece
  }
}
