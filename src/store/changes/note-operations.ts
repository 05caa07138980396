import { querySql, type QueryTarget, withParams } from '../query.js'
import type { FreshBlocks } from './index-rows.js'
import type { SpanSource } from './span-source.js'

/** Notes the span names of each service in later blocks of some parts, on the server that holds the parts. */
export async function noteOperations(
  { client, database }: QueryTarget,
  { table, isSharded }: SpanSource,
  { parts, after }: FreshBlocks,
): Promise<void> {
  const operations = isSharded ? 'service_operations_local' : 'service_operations'
  await client.command({
    ...withParams(
      querySql('note_operations', { spans: `${database}.${table}`, operations: `${database}.${operations}` }),
      {
        parts: [...parts],
        after: String(after),
      },
    ),
  })
}
