import type { ClickHouseClient } from '@clickhouse/client'

import { fillSql } from './sql-file.js'

const VIEW = /^(?:--.*\n)*CREATE MATERIALIZED VIEW IF NOT EXISTS (\S+) TO (\S+) AS\n([\s\S]+)$/

/**
 * Fills the target of a materialized view over `${spans}` from the spans that were there before the view, one day at a
 * time. Rows that the view has written meanwhile are duplicated, which the targets tolerate. A plain MergeTree is left
 * alone: older collectors created and filled theirs themselves.
 */
export async function backfill(client: ClickHouseClient, database: string, statement: string): Promise<void> {
  const [, , target = '', select = ''] = VIEW.exec(statement) ?? []
  if (!select.includes('${spans}')) return
  const table = fillSql(target, { database })
  if (!(await isAggregating(client, database, table))) return
  for (const day of await daysWithSpans(client, database)) {
    const spans = `(SELECT * FROM ${database}.otel_traces WHERE toDate(Timestamp) = '${day}')`
    const query = fillSql(select, { database, spans })
    const columns = await columnNames(client, query)
    await client.command({
      query: `INSERT INTO ${table} (${columns.join(', ')}) ${query}`,
      clickhouse_settings: { max_partitions_per_insert_block: '0', max_bytes_before_external_group_by: '1000000000' },
    })
  }
}

async function isAggregating(client: ClickHouseClient, database: string, table: string): Promise<boolean> {
  const rows = await client.query({
    query: 'SELECT engine FROM system.tables WHERE database = {database:String} AND name = {name:String}',
    query_params: { database, name: table.slice(database.length + 1) },
    format: 'JSONEachRow',
  })
  return (await rows.json<{ engine: string }>()).some(({ engine }) => engine.endsWith('AggregatingMergeTree'))
}

async function daysWithSpans(client: ClickHouseClient, database: string): Promise<string[]> {
  const rows = await client.query({
    query: `SELECT DISTINCT toString(toDate(Timestamp)) AS day FROM ${database}.otel_traces ORDER BY day`,
    format: 'JSONEachRow',
  })
  return (await rows.json<{ day: string }>()).map(({ day }) => day)
}

async function columnNames(client: ClickHouseClient, select: string): Promise<string[]> {
  const rows = await client.query({ query: `DESCRIBE TABLE (${select})`, format: 'JSONEachRow' })
  return (await rows.json<{ name: string }>()).map(({ name }) => name)
}
