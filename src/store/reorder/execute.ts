import { ClickHouseError } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { shownUrl } from '../../shown-url.js'
import { storeError } from '../client.js'
import type { QueryTarget } from '../query.js'

/** ClickHouse's error codes READONLY and ACCESS_DENIED. */
const MAY_NOT = new Set(['164', '497'])

/** Executes a statement that changes tables. */
export async function execute(target: QueryTarget, query: string): Promise<void> {
  try {
    await target.client.command({
      query,
      clickhouse_settings: { max_table_size_to_drop: '0', max_partitions_per_insert_block: '0', insert_deduplicate: 0 },
    })
  } catch (error) {
    throw reorderError(error, target)
  }
}

/** The PlanspanError for a failed step; says so if the user lacks a right. */
export function reorderError(error: unknown, target: Pick<QueryTarget, 'url' | 'database'>): PlanspanError {
  const cause = error instanceof PlanspanError ? error.cause : error
  if (!(cause instanceof ClickHouseError && MAY_NOT.has(cause.code))) return storeError(error, target)
  return new PlanspanError(
    'store_unreachable',
    `The user of ${shownUrl(target.url)} may not change the tables of ${target.database}: ${cause.message.split('\n', 1)[0] ?? ''} ` +
      'Give --clickhouse a user who may create, alter, insert into and drop tables and views there, and read system.processes, parts and disks.',
    { cause: error },
  )
}
