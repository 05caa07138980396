import type { ClickHouseClient } from '@clickhouse/client'

import { splitTtl } from './ttl.js'

/** What of a table decides how its rows age. */
export interface AgeingTable {
  /** The parts of its TTL. */
  readonly ttl: readonly string[]
  readonly comment: string
  readonly policy: string
  readonly isEmpty: boolean
  /** Whether a changed TTL is computed anew for rows that are there, without writing these anew. */
  readonly recalculates: boolean
}

/** Reads tables by name; any user may do so. */
export async function readAgeing(
  client: ClickHouseClient,
  database: string,
  tables: readonly string[],
): Promise<Map<string, AgeingTable>> {
  const result = await client.query({
    query: `SELECT
              name,
              extract(engine_full, ' TTL (.+?)(?: SETTINGS |$)') AS ttl,
              comment,
              storage_policy AS policy,
              ifNull(total_rows, 1) = 0 AS empty,
              engine_full LIKE '%materialize_ttl_recalculate_only = 1%' AS recalculates
            FROM system.tables WHERE database = {database:String} AND name IN {tables:Array(String)}`,
    query_params: { database, tables },
    format: 'JSONEachRow',
  })
  const rows = await result.json<{
    name: string
    ttl: string
    comment: string
    policy: string
    empty: number
    recalculates: number
  }>()
  return new Map(
    rows.map(({ name, ttl, comment, policy, empty, recalculates }) => [
      name,
      { ttl: splitTtl(ttl), comment, policy, isEmpty: empty === 1, recalculates: recalculates === 1 },
    ]),
  )
}
