import type { ClickHouseClient, QueryParams, Row as ClientRow } from '@clickhouse/client'

import { storeError } from './store-error.js'
import { fillSql, readSql, listLiteral } from './sql-file.js'
import { splitFile, splitJson, streamAnswer } from './stream-answer.js'
import { streamWhileAlive, whileAlive } from './while-alive.js'

/** Space on ClickHouse's disk that is kept free for acknowledged spans. */
export interface Reserve {
  /** The bytes that are not reserved at present. */
  readonly missing: number
  /** Frees the space. Returns whether there was any to free. */
  release(): boolean
  /** Reserves the space, or none of it if the disk is full. */
  restore(): Promise<void>
}

/** The target of queries: a client, its URL for messages, and the database. */
export interface QueryTarget {
  client: ClickHouseClient
  url: string
  database: string
  /** Resolves when a query can read everything that was acknowledged before it. */
  settled?: () => Promise<void>
  /** Resolves when the indexer has written the rows of everything that was acknowledged before. */
  indexed?: () => Promise<void>
  /** @default none */
  reserve?: Reserve | undefined
}

const texts = new Map<string, string>()

const TRACE_HOURS = readSql('fragments/trace_hours.sql').trimEnd()

const SPANS_OF_TRACES = fillSql(readSql('fragments/spans_of_traces.sql').trimEnd(), { trace_hours: TRACE_HOURS })

/**
 * Returns the condition that selects the spans of traces by hour and id. `traces` is a condition on ids, as `IN (…)`.
 */
export const ofTraces = (traces: string): string => fillSql(SPANS_OF_TRACES, { traces })

const GIVEN = 'IN {traceIds:Array(String)}'

/** The condition that selects the spans of the traces `{traceIds:Array(String)}`. */
export const OF_TRACES = `TraceId ${GIVEN} AND ${ofTraces(GIVEN)}`

/** Fragments that queries contain, by their placeholders. */
const FRAGMENTS = { spans_of_traces: OF_TRACES, span_row: readSql('fragments/span_row.sql').trimEnd() }

/** A query from `queries/` with its placeholders filled in; the file is read once. */
export function querySql(file: string, values: Readonly<Record<string, string>>): string {
  const text = texts.get(file) ?? fillSql(readSql(`queries/${file}.sql`), FRAGMENTS)
  texts.set(file, text)
  return fillSql(text, values)
}

/** The size from which a list is written into the query, bytes: ClickHouse limits an escaped parameter to 128 KiB. */
const LONG_LIST = 64 << 10

/** Returns the client's options for a query with parameters. Long lists are written into the query. */
export function withParams(
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): Pick<QueryParams, 'query' | 'query_params' | 'clickhouse_settings'> {
  // All placeholders are replaced at once, because a text in one list may look like the placeholder of another.
  const filled = query.replaceAll(/\{(\w+):Array\(String\)\}/g, (place, name: string) => {
    const value = params[name]
    return isLong(value) ? listLiteral(value) : place
  })
  if (filled === query) return { query, query_params: params }
  const short = Object.fromEntries(Object.entries(params).filter(([, value]) => !isLong(value)))
  const bytes = Buffer.byteLength(filled)
  return { query: filled, query_params: short, clickhouse_settings: { max_query_size: String(2 * bytes) } }
}

/** Whether a value is a list of texts that is too long for a parameter. */
function isLong(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false
  return (value as string[]).reduce((bytes, text) => bytes + Buffer.byteLength(text) + 4, 0) > LONG_LIST
}

/**
 * Streams the rows of a query. Settings are sent only with a long list, since a read-only user may not change any.
 * Queries therefore select 64-bit numbers that have to be exact as text.
 */
export async function* streamRows<Row>(
  { client, url, database, settled }: QueryTarget,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<Row, void, undefined> {
  await settled?.()
  const aborter = new AbortController()
  try {
    const options = { format: 'JSONEachRow', abort_signal: aborter.signal } as const
    const result = await whileAlive(url, client.query({ ...withParams(query, params), ...options }))
    for await (const rows of streamWhileAlive<ClientRow<Row, 'JSONEachRow'>[]>(url, result.stream<Row>())) {
      for (const row of rows) yield row.json()
    }
  } catch (error) {
    aborter.abort()
    throw storeError(error, { url, database })
  }
}

/** Reads all rows of a query. */
export async function readRows<Row>(
  target: QueryTarget,
  query: string,
  params?: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of streamRows<Row>(target, query, params)) rows.push(row)
  return rows
}

/** Streams the rows of a query as JSON lists, one per line, in chunks that end anywhere. */
export const streamBytes = (
  target: QueryTarget,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<Uint8Array, void, undefined> =>
  streamPieces(target, withParams(`${query}\nFORMAT JSONCompactEachRow`, params), splitJson())

/** Streams the file that a query with a FORMAT clause returns, in chunks. */
export const streamFile = (
  target: QueryTarget,
  query: string,
  params: Readonly<Record<string, unknown>>,
): AsyncGenerator<Uint8Array, void, undefined> => streamPieces(target, withParams(query, params), splitFile())

async function* streamPieces(
  { client, url, database, settled }: QueryTarget,
  query: Parameters<typeof streamAnswer>[1],
  splitter: Parameters<typeof streamAnswer>[2],
): AsyncGenerator<Uint8Array, void, undefined> {
  await settled?.()
  try {
    yield* streamAnswer({ client, url }, query, splitter)
  } catch (error) {
    throw storeError(error, { url, database })
  }
}
