import { storeError } from '../client.js'
import type { QueryTarget } from '../query.js'

/** Executes a statement that changes tables. */
export async function execute(target: QueryTarget, query: string): Promise<void> {
  try {
    await target.client.command({
      query,
      clickhouse_settings: { max_table_size_to_drop: '0', max_partitions_per_insert_block: '0', insert_deduplicate: 0 },
    })
  } catch (error) {
    throw storeError(error, target)
  }
}
