import type { ClickHouseClient } from '@clickhouse/client'

import { ownTable, type FillingView, type Layout } from './layout.js'
import { selectRows } from '../client/select-rows.js'
import { fillSql } from '../client/sql-file.js'
import { COMPUTED_COLUMNS } from './stored-columns.js'
import { findTables, isMerging } from './tables.js'

const COMPUTED = COMPUTED_COLUMNS.map(({ name }) => name).join(', ')

/**
 * Fills the target of a view from the rows that the span table had before the view, one day at a time. Rows that the
 * view writes meanwhile are duplicated, and so are rows that several replicas of a shard add; the targets tolerate
 * duplicates. A plain MergeTree is skipped: a collector created it, and the collector's own view has filled it.
 */
export async function backfill(
  client: ClickHouseClient,
  layout: Layout,
  { target, select }: FillingView,
): Promise<void> {
  const { database } = layout
  if (!(await findTables(client, database, [target])).some(isMerging)) return
  const own = `${database}.${ownTable(layout, 'otel_traces')}`
  for (const day of await daysWithSpans(client, own)) {
    const rows = `(SELECT *, ${COMPUTED} FROM ${own} WHERE toDate(Timestamp) = '${day}')`
    const query = fillSql(select, { database, spans: rows })
    const filled = await columnNames(client, query)
    await client.command({
      query: `INSERT INTO ${database}.${target} (${filled.join(', ')}) ${query}`,
      clickhouse_settings: { max_partitions_per_insert_block: '0', max_bytes_before_external_group_by: '1000000000' },
    })
  }
}

async function daysWithSpans(client: ClickHouseClient, table: string): Promise<string[]> {
  const query = `SELECT DISTINCT toString(toDate(Timestamp)) AS day FROM ${table} ORDER BY day`
  return (await selectRows<{ day: string }>(client, query)).map(({ day }) => day)
}

async function columnNames(client: ClickHouseClient, select: string): Promise<string[]> {
  return (await selectRows<{ name: string }>(client, `DESCRIBE TABLE (${select})`)).map(({ name }) => name)
}
