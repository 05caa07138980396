import type { ClickHouseClient } from '@clickhouse/client'

import { storeError } from './client.js'
import { fillSql, readSql } from './sql-file.js'

/** Where queries go: a client, its URL for messages, and the database. */
export interface QueryTarget {
  client: ClickHouseClient
  url: string
  database: string
}

const texts = new Map<string, string>()

/** A query below `sql/queries/`, with other SQL in its placeholders; the file is read once. */
export function querySql(file: string, values: Readonly<Record<string, string>>): string {
  const text = texts.get(file) ?? readSql(`queries/${file}.sql`)
  texts.set(file, text)
  return fillSql(text, values)
}

/**
 * The rows of a query, as they come. No setting is sent along, since a user who may only read may change none; so
 * 64-bit numbers that matter are selected as text.
 */
export async function* streamRows<Row>(
  { client, url, database }: QueryTarget,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<Row, void, undefined> {
  try {
    const result = await client.query({ query, query_params: params, format: 'JSONEachRow' })
    for await (const rows of result.stream<Row>()) {
      for (const row of rows) yield row.json()
    }
  } catch (error) {
    throw storeError(error, { url, database })
  }
}

/** All rows of a query. */
export async function readRows<Row>(
  target: QueryTarget,
  query: string,
  params?: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of streamRows<Row>(target, query, params)) rows.push(row)
  return rows
}
