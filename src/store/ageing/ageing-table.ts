import type { ClickHouseClient } from '@clickhouse/client'

import { selectRows } from '../client/select-rows.js'
import { splitTtl } from './ttl.js'

/** The properties of a table that decide how its rows age. */
export interface AgeingTable {
  /** The parts of its TTL. */
  readonly ttl: readonly string[]
  readonly comment: string
  readonly policy: string
  readonly isEmpty: boolean
  /** Whether a changed TTL is recalculated for existing rows without rewriting them. */
  readonly recalculates: boolean
}

/** Reads tables by name; any user may do so. */
export async function readAgeing(
  client: ClickHouseClient,
  database: string,
  tables: readonly string[],
): Promise<Map<string, AgeingTable>> {
  const rows = await selectRows<Omit<AgeingTable, 'ttl'> & { name: string; ttl: string }>(
    client,
    `SELECT
       name,
       extract(engine_full, ' TTL (.+?)(?: SETTINGS |$)') AS ttl,
       comment,
       storage_policy AS policy,
       toBool(ifNull(total_rows, 1) = 0) AS isEmpty,
       toBool(engine_full LIKE '%materialize_ttl_recalculate_only = 1%') AS recalculates
     FROM system.tables WHERE database = {database:String} AND name IN {tables:Array(String)}`,
    { database, tables },
  )
  return new Map(rows.map(({ name, ttl, ...table }) => [name, { ...table, ttl: splitTtl(ttl) }]))
}
