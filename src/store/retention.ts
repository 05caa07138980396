import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../error.js'

/** Lookup rows are kept a week longer, so that none is dropped before its spans. */
const LOOKUP_GRACE_DAYS = 7

/**
 * The TTL of each table. `plan_states` comes first: only planspan has this table, so a TTL on it shows that planspan
 * set the other TTLs. A collector's own TTLs stay when no retention is asked for.
 */
const EXPIRY = {
  plan_states: { from: 'toDateTime(End)', graceDays: LOOKUP_GRACE_DAYS },
  otel_traces: { from: 'toDateTime(Timestamp)', graceDays: 0 },
  otel_traces_trace_id_ts: { from: 'toDateTime(End)', graceDays: LOOKUP_GRACE_DAYS },
  plan_keys: { from: 'toDateTime(End)', graceDays: LOOKUP_GRACE_DAYS },
  service_operations: { from: 'toDateTime(End)', graceDays: LOOKUP_GRACE_DAYS },
} as const

/** Throws `usage` for a retention that is not a whole number of days, 1 or more. */
export function checkRetention(retentionDays: number | undefined): void {
  if (retentionDays === undefined || (Number.isInteger(retentionDays) && retentionDays > 0)) return
  throw new PlanspanError('usage', `The retention is a whole number of days from 1 on, not ${String(retentionDays)}.`)
}

/**
 * Sets, changes or removes the TTL of every table, with ALTERs that rewrite no data; up-to-date tables are left alone.
 */
export async function applyRetention(
  client: ClickHouseClient,
  database: string,
  retentionDays: number | undefined,
): Promise<void> {
  const tables = Object.entries(EXPIRY)
  const current = await readTtl(client, database)
  if (retentionDays === undefined) {
    if (current.has('plan_states')) for (const [table] of tables.reverse()) await removeTtl(client, database, table)
    return
  }
  for (const [table, { from, graceDays }] of tables) {
    const wanted = `${from} + toIntervalDay(${String(retentionDays + graceDays)})`
    if (current.get(table) !== wanted) await alter(client, `${database}.${table} MODIFY TTL ${wanted}`)
  }
}

/** ClickHouse's error codes READONLY and ACCESS_DENIED. */
const MAY_ONLY_READ = new Set(['164', '497'])

async function removeTtl(client: ClickHouseClient, database: string, table: string): Promise<void> {
  try {
    await alter(client, `${database}.${table} REMOVE TTL`)
  } catch (error) {
    // A read-only server leaves the retention to the one that writes.
    if (error instanceof ClickHouseError && MAY_ONLY_READ.has(error.code)) return
    // Another process may have been faster: removing a TTL that is already gone is an error in ClickHouse.
    if ((await readTtl(client, database)).has(table)) throw error
  }
}

const alter = (client: ClickHouseClient, change: string) =>
  client.command({ query: `ALTER TABLE ${change}`, clickhouse_settings: { materialize_ttl_after_modify: 0 } })

async function readTtl(client: ClickHouseClient, database: string): Promise<Map<string, string>> {
  const rows = await client.query({
    query: `SELECT name, extract(engine_full, ' TTL (.+?)(?: SETTINGS |$)') AS ttl
            FROM system.tables WHERE database = {database:String} AND name IN {tables:Array(String)}`,
    query_params: { database, tables: Object.keys(EXPIRY) },
    format: 'JSONEachRow',
  })
  const tables = await rows.json<{ name: string; ttl: string }>()
  return new Map(tables.filter(({ ttl }) => ttl !== '').map(({ name, ttl }) => [name, ttl]))
}
