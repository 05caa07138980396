import { ATTR } from '../../semconv/index.js'
import { ofTraces, querySql, readRows, type QueryTarget } from '../client/query.js'
import { fillSql } from '../client/sql-file.js'
import { keyParameters, tracesOfKey, type TraceKeyKind } from '../records/trace-key.js'
import { conditionOf, type TraceQuery } from './trace-query.js'

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
