import {
  EXCEPTION_TAG_HEADER_NAME,
  extractErrorAtTheEndOfChunk,
  type ClickHouseClient,
  type ExecParams,
  type Row as ClientRow,
} from '@clickhouse/client'

import { storeError } from './client.js'
import { fillSql, readSql } from './sql-file.js'
import { streamWhileAlive, whileAlive } from './while-alive.js'

/** The target of queries: a client, its URL for messages, and the database. */
export interface QueryTarget {
  client: ClickHouseClient
  url: string
  database: string
  /** Resolves when what was acknowledged before a query can be read by it. */
  settled?: () => Promise<void>
}

const texts = new Map<string, string>()

/** A query from `sql/queries/` with its placeholders filled in; the file is read once. */
export function querySql(file: string, values: Readonly<Record<string, string>>): string {
  const text = texts.get(file) ?? readSql(`queries/${file}.sql`)
  texts.set(file, text)
  return fillSql(text, values)
}

/**
 * Streams the rows of a query. No settings are sent along, since a read-only user may not change any; 64-bit numbers
 * that have to be exact are therefore selected as text.
 */
export async function* streamRows<Row>(
  { client, url, database, settled }: QueryTarget,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<Row, void, undefined> {
  await settled?.()
  const unasked = new AbortController()
  try {
    const asked = { query, query_params: params, format: 'JSONEachRow', abort_signal: unasked.signal } as const
    const result = await whileAlive(url, client.query(asked))
    for await (const rows of streamWhileAlive<ClientRow<Row, 'JSONEachRow'>[]>(url, result.stream<Row>())) {
      for (const row of rows) yield row.json()
    }
  } catch (error) {
    unasked.abort()
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

const CARRIAGE_RETURN = 0x0d

/** Streams the rows of a query as ClickHouse writes them: JSON in lines, in pieces that end anywhere. */
export async function* streamBytes(
  { client, url, database, settled }: QueryTarget,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  await settled?.()
  try {
    yield* streamAnswer({ client, url }, { query: `${query}\nFORMAT JSONEachRow`, query_params: params })
  } catch (error) {
    throw storeError(error, { url, database })
  }
}

/** Streams what ClickHouse answers in a JSON format, in pieces that end anywhere. Throws ClickHouse's own errors. */
export async function* streamAnswer(
  { client, url }: Pick<QueryTarget, 'client' | 'url'>,
  asked: Pick<ExecParams, 'query' | 'query_params' | 'clickhouse_settings'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let tag = ''
  let failure: Buffer | undefined
  const unasked = new AbortController()
  try {
    const answer = await whileAlive(url, client.exec({ ...asked, abort_signal: unasked.signal }))
    tag = String(answer.response_headers[EXCEPTION_TAG_HEADER_NAME] ?? '')
    for await (const piece of streamWhileAlive<Buffer>(url, answer.stream)) {
      // JSON escapes it: here begins the message of a query that fails while it is answered.
      const at = failure ? 0 : piece.indexOf(CARRIAGE_RETURN)
      if (at >= 0) failure = Buffer.concat([failure ?? Buffer.of(), piece.subarray(at)])
      else yield piece
    }
  } catch (error) {
    unasked.abort()
    if (!failure) throw error
  }
  if (failure) throw extractErrorAtTheEndOfChunk(failure, tag)
}

/** What ClickHouse writes behind an answer that fails is no longer. */
const LONGEST_FAILURE = 32 << 10

/**
 * Streams the file that a query with a FORMAT answers, in pieces. Its end is kept back until the answer is over, since
 * ClickHouse writes there why a query has failed that had begun to answer.
 */
export async function* streamFile(
  { client, url, database, settled }: QueryTarget,
  query: string,
  params: Readonly<Record<string, unknown>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  await settled?.()
  const unasked = new AbortController()
  try {
    const asked = client.exec({ query, query_params: params, abort_signal: unasked.signal })
    const answer = await whileAlive(url, asked)
    const tag = String(answer.response_headers[EXCEPTION_TAG_HEADER_NAME] ?? '')
    let end: Buffer = Buffer.of()
    let broken: unknown
    try {
      for await (const piece of streamWhileAlive<Buffer>(url, answer.stream)) {
        end = Buffer.concat([end, piece])
        if (end.length < 2 * LONGEST_FAILURE) continue
        yield end.subarray(0, -LONGEST_FAILURE)
        end = end.subarray(-LONGEST_FAILURE)
      }
    } catch (error) {
      broken = error
    }
    if (tag !== '' && end.subarray(-200).includes(`${tag}\r\n__exception__`))
      throw extractErrorAtTheEndOfChunk(end, tag)
    if (broken !== undefined) throw broken
    yield end
  } catch (error) {
    unasked.abort()
    throw storeError(error, { url, database })
  }
}
