import { ATTR } from '../../semconv/index.js'
import { ofTraces, querySql, readRows, type QueryTarget } from '../client/query.js'
import { fillSql } from '../client/sql-file.js'
import { keyParameters, tracesOfKey, type TraceKeyKind } from '../records/trace-places.js'

/** The columns that a search can compare with a value. */
export type SearchColumn = 'SpanKind' | 'StatusCode' | 'StatusMessage' | 'ScopeName' | 'ScopeVersion' | 'TraceState'

/** The conditions that a single span of a trace has to meet. Times are Unix nanoseconds, durations nanoseconds. */
export interface TraceQuery {
  readonly service?: string
  readonly spanName?: string
  readonly columns?: ReadonlyMap<SearchColumn, string>
  /** Whether its status is an error. */
  readonly failed?: boolean
  /** Attributes of the span or its resource, with their values as stored text. */
  readonly attributes?: ReadonlyMap<string, string>
  /** The earliest start of the span. */
  readonly since?: bigint
  /** The end of the range of starts, exclusive. */
  readonly until?: bigint
  readonly minDuration?: bigint
  readonly maxDuration?: bigint
  /** The largest number of traces to find. */
  readonly limit: number
}

/** A query, except for its times, as an SQL condition and its parameters. */
function conditionOf(query: TraceQuery): { where: string; params: Record<string, string> } {
  const params: Record<string, string> = {}
  const value = (text: string): string => {
    const name = `value${String(Object.keys(params).length)}`
    params[name] = text
    return `{${name}:String}`
  }
  const { service, spanName, columns = new Map(), failed, attributes = new Map(), minDuration, maxDuration } = query
  const conditions = [
    ...(service === undefined ? [] : [`ServiceName = ${value(service)}`]),
    ...(spanName === undefined ? [] : [`SpanName = ${value(spanName)}`]),
    ...[...columns].map(([column, text]) => `${column} = ${value(text)}`),
    ...(failed === undefined ? [] : [`StatusCode ${failed ? '=' : '!='} 'Error'`]),
    // The stored duration wraps around if a span ends before it starts.
    ...(minDuration === undefined ? [] : [`toInt64(Duration) >= ${String(minDuration)}`]),
    ...(maxDuration === undefined ? [] : [`toInt64(Duration) <= ${String(maxDuration)}`]),
    ...[...attributes].map(([key, text]) => attributeCondition(value(key), value(text), text === '')),
  ]
  return { where: conditions.join(' AND ') || '1', params }
}

/** A plain equality, which is what uses the indexes over keys and values; for '' it would also match a missing key. */
const attributeCondition = (key: string, text: string, isEmpty: boolean): string =>
  `(${['SpanAttributes', 'ResourceAttributes']
    .map((map) => `${isEmpty ? `mapContains(${map}, ${key}) AND ` : ''}${map}[${key}] = ${text}`)
    .join(' OR ')})`

/** A trace found by a search, and the range of its matching spans' start times, nanoseconds since the Unix epoch. */
export interface FoundTrace {
  readonly traceId: string
  readonly first: bigint
  readonly last: bigint
}

const FIRST_WINDOW = 60_000_000_000n
const GROWTH = 8n
const ALL_OF_TIME = 2n ** 63n

/**
 * Finds the traces with a span that matches a query, newest first. Searches the newest minute, then ever longer windows
 * before it, until enough are found: the most common search, for the newest traces, is cheap in a store of any size. An
 * attribute that is a key of traces narrows the search to the traces that the lookup finds.
 */
export async function searchTraces(target: QueryTarget, query: TraceQuery): Promise<FoundTrace[]> {
  const found = new Map<string, FoundTrace>()
  const { sql, params, times, firstWindow } = await prepare(target, query)
  if (!times) return []
  const from = later(query.since, times.first)
  let to = earlier(query.until, times.last + 1n)
  for (let width = firstWindow; from < to && found.size < query.limit; width *= GROWTH) {
    const start = later(to - width, from)
    const window = { from: String(start), to: String(to), limit: query.limit + found.size }
    for (const { traceId, first, last } of await readRows<FoundRow>(target, sql, { ...params, ...window })) {
      if (!found.has(traceId)) found.set(traceId, { traceId, first: BigInt(first), last: BigInt(last) })
    }
    to = start
  }
  return [...found.values()].slice(0, query.limit)
}

interface FoundRow {
  traceId: string
  first: string
  last: string
}

/** The attributes that are keys of traces, and their kinds. */
const KEY_KINDS: ReadonlyMap<string, TraceKeyKind> = new Map([
  [ATTR.planId, 'plan'],
  [ATTR.planRootId, 'plan.root'],
  [ATTR.stepId, 'step'],
  [ATTR.toolCallId, 'tool_call'],
  [ATTR.conversationId, 'conversation'],
])

/** Prepares the search of one window. `times` is the range of possible matches, or undefined if nothing can match. */
async function prepare(target: QueryTarget, query: TraceQuery) {
  const { database } = target
  const { where, params } = conditionOf(query)
  const [found] = [...(query.attributes ?? [])].flatMap(([attribute, key]) => {
    const kind = KEY_KINDS.get(attribute)
    return kind && key !== '' ? [{ kind, key }] : []
  })
  if (!found) {
    const times = await readTimes(target, querySql('span_times', { database }), {})
    return { sql: querySql('search_traces', { database, where }), params, times, firstWindow: FIRST_WINDOW }
  }
  const lookup = keyParameters(found.kind, [found.key])
  const traces = `GLOBAL IN (${tracesOfKey(target)})`
  const times = await readTimes(target, querySql('key_times', { database, traces }), lookup)
  const sql = querySql('search_traces', { database, where: `${ofTraces(traces)} AND ${where}` })
  return { sql: fillSql(sql, { database }), params: { ...params, ...lookup }, times, firstWindow: ALL_OF_TIME }
}

async function readTimes(target: QueryTarget, sql: string, params: Readonly<Record<string, unknown>>) {
  const [row] = await readRows<{ first: string; last: string }>(target, sql, params)
  return row && { first: BigInt(row.first), last: BigInt(row.last) }
}

const later = (a: bigint | undefined, b: bigint): bigint => (a !== undefined && a > b ? a : b)
const earlier = (a: bigint | undefined, b: bigint): bigint => (a !== undefined && a < b ? a : b)
