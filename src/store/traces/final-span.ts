import { appendTo } from '../../base/append.js'
import { foldSpans, isGuardrail, isLogEvent, withLogEvents } from '../../mapping/index.js'
import { PENDING, ATTR, isUnsafe, type StoredSpan } from '../../semconv/index.js'
import { querySql, streamBytes, readRows, type QueryTarget } from '../client/query.js'
import { literal } from '../client/sql-file.js'
import { WHOLE } from '../records/read-rows.js'
import { collectSpans, parseRows, toStoredSpan, type SpanRow } from '../records/read-spans.js'
import { findPlaces, inPlaces } from '../records/trace-places.js'

/** A span with all fields that a tracing UI shows. */
export interface FinalSpan extends StoredSpan {
  readonly traceState: string
  readonly scopeVersion: string
  /** For a guardrail that found an action unsafe, the outcome; absent if unknown. */
  readonly unsafeAction?: UnsafeAction
  /** Whether only snapshots of the span are stored: it ends with the last one. */
  readonly isOpen?: boolean
  /** For an outermost plan, the remarks of its headline. */
  readonly remarks?: readonly string[]
}

const ENDED = `SpanState != ${literal(PENDING)}`
/** Rows of log records. Other rows with this state have the id of their span. */
const LOGGED = `SpanState = ${literal(PENDING)} AND PendingSpanId = ''`
/** Snapshots of spans that have not ended. */
const openIn = (database: string, places: string): string =>
  `SpanState = ${literal(PENDING)} AND PendingSpanId != '' AND (TraceId, PendingSpanId) GLOBAL NOT IN (` +
  `SELECT TraceId, SpanId FROM ${database}.otel_traces WHERE ${places} AND ${ENDED})`

/**
 * Streams the spans of traces with their log records, once each, unordered, the open ones last. Calls `onBytes` with
 * the size of each chunk of ended spans.
 */
export async function* readFinalSpans(
  target: QueryTarget,
  traceIds: readonly string[],
  onBytes?: (count: number) => void,
): AsyncGenerator<FinalSpan[], void, undefined> {
  const places = await findPlaces(target, traceIds)
  if (places.length === 0) return
  const parts = { database: target.database, in_places: inPlaces(places) }
  const select = (among: string) =>
    querySql('read_traces', { ...parts, ...WHOLE, among, more: ',\n  TraceState,\n  ScopeVersion' })
  const logs = collectSpans(streamBytes(target, select(LOGGED))).then((rows) => bySpan(rows.filter(isLogEvent)))
  // If the spans fail first, nothing awaits the logs.
  logs.catch(() => {})
  const open = openSpans(streamBytes(target, select(openIn(target.database, parts.in_places))))
  open.catch(() => {})
  const pieces = counted(streamBytes(target, select(ENDED)), onBytes)
  for await (const rows of parseRows<SpanRow>(pieces)) {
    const known = await logs
    yield rows.map((row) => {
      const span = toFinalSpan(row)
      const own = known.get(keyOf(span.traceId, span.spanId))
      return own ? withLogEvents(span, own) : span
    })
  }
  const left = await open
  if (left.length > 0) yield left
}

/** Folds the snapshots of each trace into open spans. */
async function openSpans(pieces: AsyncIterable<Uint8Array>): Promise<FinalSpan[]> {
  const traces = new Map<string, FinalSpan[]>()
  for await (const rows of parseRows<SpanRow>(pieces)) {
    for (const row of rows) appendTo(traces, row[0], toFinalSpan(row))
  }
  return [...traces.values()].flatMap((rows) =>
    foldSpans(rows).map((span) => ({ traceState: '', scopeVersion: '', ...span, isOpen: true })),
  )
}

function bySpan(logs: readonly StoredSpan[]): Map<string, StoredSpan[]> {
  const found = new Map<string, StoredSpan[]>()
  for (const log of logs) appendTo(found, keyOf(log.traceId, log.parentSpanId), log)
  return found
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

/** The outcome of an action that a guardrail found unsafe. */
export interface UnsafeAction {
  readonly taken: boolean
  /** The tool of the call; '' if unknown. */
  readonly tool: string
}

interface UnsafeActionRow extends UnsafeAction {
  readonly traceId: string
  readonly spanId: string
}

/**
 * Adds the outcome of unsafe actions to the guardrails of traces. The indexer decides the outcome from the rest of the
 * cycle; its rows are read once, when the first such guardrail appears.
 */
export class UnsafeActions {
  readonly #target: QueryTarget
  readonly #traceIds: readonly string[]
  #actions: Promise<Map<string, UnsafeAction>> | undefined

  constructor(target: QueryTarget, traceIds: readonly string[]) {
    this.#target = target
    this.#traceIds = traceIds
  }

  async addTo(spans: readonly FinalSpan[]): Promise<readonly FinalSpan[]> {
    if (!spans.some(hasUnsafeAction)) return spans
    const actions = await (this.#actions ??= this.#read())
    return spans.map((span) => {
      const unsafeAction = hasUnsafeAction(span) ? actions.get(keyOf(span.traceId, span.spanId)) : undefined
      return unsafeAction ? { ...span, unsafeAction } : span
    })
  }

  async #read(): Promise<Map<string, UnsafeAction>> {
    const { database, indexed } = this.#target
    await indexed?.()
    const sql = querySql('judged_spans', { database })
    const rows = await readRows<UnsafeActionRow>(this.#target, sql, { traceIds: [...this.#traceIds] })
    return new Map(rows.map(({ traceId, spanId, ...action }) => [keyOf(traceId, spanId), action]))
  }
}

/** Whether a span is a guardrail that found an action unsafe, or may have: one of another instrumentation. */
export const hasUnsafeAction = (span: FinalSpan): boolean =>
  span.attributes[ATTR.spanKind] === undefined
    ? isGuardrail(span)
    : isUnsafe(span.attributes) && span.attributes[ATTR.spanKind] === 'guardrail'

export const keyOf = (traceId: string, spanId: string): string => `${traceId}/${spanId}`
