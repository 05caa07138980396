import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ClickHouseClient, ExecParams } from '@clickhouse/client'

import { whileAlive } from '../client/while-alive.js'

/** An insert of bytes in the format that its query names. */
export interface InsertTask {
  readonly query: string
  readonly chunks: readonly Uint8Array[]
  readonly settings: NonNullable<ExecParams['clickhouse_settings']>
}

/**
 * Inserts bytes; resolves when ClickHouse has stored them. Throws the client's errors, and `store_unreachable` where
 * ClickHouse falls silent.
 */
export async function insertStream(
  { client, url }: { readonly client: ClickHouseClient; readonly url: string },
  { query, chunks, settings }: InsertTask,
): Promise<void> {
  const unasked = new AbortController()
  const inserting = client.exec({
    abort_signal: unasked.signal,
    query,
    values: Readable.from(chunks, { objectMode: false }),
    // Responds only when the insert has ended, with any error in the status.
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1, ...settings },
  })
  try {
    const { stream } = await whileAlive(url, inserting)
    await whileAlive(url, text(stream))
  } catch (error) {
    unasked.abort()
    throw error
  }
}
