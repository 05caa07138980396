import { PENDING, type StoredSpan } from '../../semconv/index.js'
import { querySql, streamBytes, type QueryTarget } from '../client/query.js'
import { WHOLE } from '../records/read-rows.js'
import { parseRows } from '../records/parse-rows.js'
import { literal } from '../client/sql-file.js'
import { findPlaces, inPlaces } from '../records/trace-places.js'
import { toStoredSpan, type SpanRow } from '../records/read-spans.js'
import type { UnsafeAction } from './unsafe-actions.js'

/** An ended span with all fields that a tracing UI shows. */
export interface FinalSpan extends StoredSpan {
  readonly traceState: string
  readonly scopeVersion: string
  /** For a guardrail that found an action unsafe, the outcome; absent if unknown. */
  readonly unsafeAction?: UnsafeAction
}

const ENDED = `SpanState != ${literal(PENDING)}`

/** Streams the ended spans of traces, once each, unordered. Calls `onBytes` with the size of each chunk. */
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

/** Assigns to the object, because spreading it would take longer than parsing its row. */
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
