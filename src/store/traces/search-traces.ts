import { querySql, readRows, type QueryTarget } from '../query.js'
import { conditionOf, type TraceQuery } from './trace-query.js'

/** A trace that a search found, and between which times its matching spans start, nanoseconds since the Unix epoch. */
export interface FoundTrace {
  readonly traceId: string
  readonly first: bigint
  readonly last: bigint
}

const FIRST_WINDOW = 60_000_000_000n
const GROWTH = 8n

/**
 * The traces with a span that a query wants, the latest first. Looks at the newest minute, then at ever longer windows
 * before it, until it has enough: what is asked for most, the newest traces, costs little however large the store is.
 */
export async function searchTraces(target: QueryTarget, query: TraceQuery): Promise<FoundTrace[]> {
  const found = new Map<string, FoundTrace>()
  const stored = await readSpanTimes(target)
  if (!stored) return []
  const { database } = target
  const { where, params } = conditionOf(query)
  const sql = querySql('search_traces', { database, where })
  const from = later(query.since, stored.first)
  let to = earlier(query.until, stored.last + 1n)
  for (let width = FIRST_WINDOW; from < to && found.size < query.limit; width *= GROWTH) {
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

async function readSpanTimes(target: QueryTarget): Promise<{ first: bigint; last: bigint } | undefined> {
  const [row] = await readRows<{ first: string; last: string; spans: string }>(
    target,
    querySql('span_times', { database: target.database }),
  )
  return row && row.spans !== '0' ? { first: BigInt(row.first), last: BigInt(row.last) } : undefined
}

const later = (a: bigint | undefined, b: bigint): bigint => (a !== undefined && a > b ? a : b)
const earlier = (a: bigint | undefined, b: bigint): bigint => (a !== undefined && a < b ? a : b)
