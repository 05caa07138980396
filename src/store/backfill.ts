import type { ClickHouseClient } from '@clickhouse/client'

import { bareName, materializedView, ownTable, type Layout } from './layout.js'
import { fillSql } from './sql-file.js'
import { COMPUTED_COLUMNS } from './stored-columns.js'
import { findTables, isMerging } from './tables.js'

const COMPUTED = COMPUTED_COLUMNS.map(({ name }) => name).join(', ')

/**
 * Fills the target of a materialized view over `${spans}` from the spans that were there before the view, one day at a
 * time. Rows that the view has written meanwhile are duplicated, which the targets tolerate; so are those that each
 * replica of a shard adds, since each has spans that its own view alone saw. A plain MergeTree is left alone: older
 * collectors created and filled theirs themselves.
 */
export async function backfill(client: ClickHouseClient, layout: Layout, statement: string): Promise<void> {
  const { target = '', select = '' } = materializedView(statement) ?? {}
  if (!select.includes('${spans}')) return
  const { database } = layout
  const tables = await findTables(client, database, [bareName(target)])
  if (!tables.some(isMerging)) return
  const table = fillSql(target, { database })
  const own = `${database}.${ownTable(layout, 'otel_traces')}`
  for (const day of await daysWithSpans(client, own)) {
    const spans = `(SELECT *, ${COMPUTED} FROM ${own} WHERE toDate(Timestamp) = '${day}')`
    const query = fillSql(select, { database, spans })
    const columns = await columnNames(client, query)
    await client.command({
      query: `INSERT INTO ${table} (${columns.join(', ')}) ${query}`,
      clickhouse_settings: { max_partitions_per_insert_block: '0', max_bytes_before_external_group_by: '1000000000' },
    })
  }
}

async function daysWithSpans(client: ClickHouseClient, table: string): Promise<string[]> {
  const rows = await client.query({
    query: `SELECT DISTINCT toString(toDate(Timestamp)) AS day FROM ${table} ORDER BY day`,
    format: 'JSONEachRow',
  })
  return (await rows.json<{ day: string }>()).map(({ day }) => day)
}

async function columnNames(client: ClickHouseClient, select: string): Promise<string[]> {
  const rows = await client.query({ query: `DESCRIBE TABLE (${select})`, format: 'JSONEachRow' })
  return (await rows.json<{ name: string }>()).map(({ name }) => name)
}
