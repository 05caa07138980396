import { querySql, type QueryTarget } from '../query.js'
import type { FreshBlocks } from './index-rows.js'
import type { SpanSource } from './span-source.js'

/** Notes the span names of each service in later blocks of some parts. */
export async function noteOperations(
  { client, database }: QueryTarget,
  { table }: SpanSource,
  { parts, after }: FreshBlocks,
): Promise<void> {
  await client.command({
    query: querySql('note_operations', { database, spans: `${database}.${table}` }),
    query_params: { parts: [...parts], after: String(after) },
    clickhouse_settings: { async_insert: 0, distributed_foreground_insert: 1 },
  })
}
