import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ClickHouseClient, ExecParams } from '@clickhouse/client'

import { whileAlive } from '../client/while-alive.js'

/** An insert, with its rows as bytes in the format that the query names. */
export interface InsertTask {
  readonly query: string
  readonly chunks: readonly Uint8Array[]
  readonly settings: NonNullable<ExecParams['clickhouse_settings']>
}

/**
 * Inserts rows; resolves when ClickHouse has stored them. Throws the client's errors, and `store_unreachable` if
 * ClickHouse stops responding.
 */
export async function insertStream(
  { client, url }: { readonly client: ClickHouseClient; readonly url: string },
  { query, chunks, settings }: InsertTask,
): Promise<void> {
  const cancelled = new AbortController()
  const inserting = client.exec({
    abort_signal: cancelled.signal,
    query,
    values: Readable.from(chunks, { objectMode: false }),
    // ClickHouse responds when the insert has ended, so that the status reports any error.
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1, ...settings },
  })
  try {
    const { stream } = await whileAlive(url, inserting)
    await whileAlive(url, text(stream))
  } catch (error) {
    cancelled.abort()
    throw error
  }
}
