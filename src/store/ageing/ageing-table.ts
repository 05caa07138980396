import type { ClickHouseClient } from '@clickhouse/client'

import { selectRows } from '../client/client.js'

/** The kinds of parts of a table's TTL: it deletes rows, it moves them, or it does something else. */
export type TtlKind = 'delete' | 'move' | 'other'

const TOKENS = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^'`]/g

/** Splits a TTL, as ClickHouse writes it, at the commas between its parts. */
export function splitTtl(ttl: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of ttl.matchAll(TOKENS)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

export function kindOfTtl(part: string): TtlKind {
  if (/ TO (?:VOLUME|DISK) '[^']*'$/.test(part)) return 'move'
  return / (?:RECOMPRESS CODEC\(|GROUP BY )/.test(part) ? 'other' : 'delete'
}

/** Whether two TTLs have the same parts, in any order. */
export const sameTtl = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join()

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
