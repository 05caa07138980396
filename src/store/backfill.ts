import type { ClickHouseClient } from '@clickhouse/client'

import { bareName, materializedView, ownTable, SOURCES, type Layout } from './layout.js'
import { fillSql } from './sql-file.js'
import { COMPUTED_COLUMNS } from './stored-columns.js'
import { findTables, isMerging } from './tables.js'

const COMPUTED = COMPUTED_COLUMNS.map(({ name }) => name).join(', ')

/**
 * Fills the target of a materialized view from the rows that were in the table it reads before the view, one day at a
 * time. Rows that the view has written meanwhile are duplicated, which the targets tolerate; so are those that each
 * replica of a shard adds, since each has spans that its own view alone saw. A plain MergeTree is left alone: older
 * collectors created and filled theirs themselves. So is what reads a table that is backfilled with it, of the tables
 * `made` anew: its view sees those rows come.
 */
export async function backfill(
  client: ClickHouseClient,
  layout: Layout,
  statement: string,
  made: readonly string[] = [],
): Promise<void> {
  const { target = '', select = '' } = materializedView(statement) ?? {}
  const [source, name] = Object.entries(SOURCES).find(([placeholder]) => select.includes(`\${${placeholder}}`)) ?? []
  if (source === undefined || name === undefined || made.includes(name)) return
  const { database } = layout
  const tables = await findTables(client, database, [bareName(target)])
  if (!tables.some(isMerging)) return
  const table = fillSql(target, { database })
  const own = `${database}.${ownTable(layout, name)}`
  for (const day of await daysWithSpans(client, own)) {
    const columns = name === 'otel_traces' ? `*, ${COMPUTED}` : '*'
    const rows = `(SELECT ${columns} FROM ${own} WHERE toDate(Timestamp) = '${day}')`
    const query = fillSql(select, { database, [source]: rows })
    const filled = await columnNames(client, query)
    await client.command({
      query: `INSERT INTO ${table} (${filled.join(', ')}) ${query}`,
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
