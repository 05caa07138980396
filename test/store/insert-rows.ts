import type { ClickHouseClient } from '@clickhouse/client'
import { Readable } from 'node:stream'
import { text as drained } from 'node:stream/consumers'

import { fillSql } from '../../src/store/client/sql-file.js'
import { ROW_TABLES, rowInsert } from '../../src/store/row-tables/index.js'

/** Inserts rows into a row table as the indexer does, in one part; missing columns are empty. */
export async function insertRows(
  client: ClickHouseClient,
  database: string,
  table: keyof typeof ROW_TABLES,
  rows: readonly object[],
): Promise<void> {
  const { columns } = ROW_TABLES[table]
  const { stream } = await client.exec({
    query: fillSql(`${rowInsert(ROW_TABLES[table], Object.keys(columns))}\nFORMAT JSONEachRow`, { database }),
    values: Readable.from([rows.map((row) => JSON.stringify(row)).join('\n')], { objectMode: false }),
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
  })
  await drained(stream)
}
