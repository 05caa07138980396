import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'

import { selectRows } from '../client/client.js'
import { fillSql } from '../client/sql-file.js'
import { fillingView, fillLayout, layOut, madeBy, ownTable, type Layout, type FillingView } from './layout.js'
import { readMigrations, type Migration } from './migrations.js'
import { checkVersions, readApplied, VERSIONS_TABLE } from './schema-version.js'
import { COMPUTED_COLUMNS } from './stored-columns.js'
import { checkColumns, findTables, isMerging, LOG_COLUMNS, readColumns, SPAN_COLUMNS } from './tables.js'

/**
 * Applies the versions of the schema that the tables of a layout on one server lack: creates what is missing, accepts
 * tables that a collector created, and fills planspan's own tables from existing rows. Can be interrupted, and
 * several processes may do so at once. Throws `schema_mismatch` for tables that are not the collector's, and for a
 * schema that is newer or a development build's.
 */
export async function migrateTables(client: ClickHouseClient, layout: Layout): Promise<void> {
  const { database } = layout
  const applied = await readApplied(client, database)
  checkVersions(applied, `The database ${database}`)
  for (const [name, columns] of Object.entries({ otel_traces: SPAN_COLUMNS, otel_logs: LOG_COLUMNS })) {
    const table = ownTable(layout, name)
    checkColumns(`${database}.${table}`, await readColumns(client, database, [table]), columns)
  }
  const missing = await missingTables(client, layout)
  for (const migration of readMigrations()) {
    const isApplied = applied.some(({ version }) => version === migration.version)
    if (isApplied && !madeBy([migration], layout).some((name) => missing.has(name))) continue
    await createTables(client, layout, migration)
    // An interrupted migration may have created a table without filling it.
    await fillTables(client, layout, migration, isApplied ? missing : undefined)
    if (!isApplied) await record(client, database, migration)
  }
}

/** Fills tables from the spans and logs again, after parts of them were lost. The rows that they have are repeated. */
export async function refillTables(
  client: ClickHouseClient,
  layout: Layout,
  tables: ReadonlySet<string>,
): Promise<void> {
  for (const migration of readMigrations()) await fillTables(client, layout, migration, tables)
}

/** The tables that a host of a cluster lacks. On one server the user may not see all tables. */
async function missingTables(client: ClickHouseClient, layout: Layout): Promise<Set<string>> {
  if (!layout.cluster) return new Set()
  const names = madeBy(readMigrations(), layout)
  const found = new Set((await findTables(client, layout.database, names)).map(({ name }) => name))
  return new Set(names.filter((name) => !found.has(name)))
}

/** ClickHouse's error code CANNOT_ASSIGN_ALTER: another process is altering the same Replicated table. */
const IS_ALTERED = '517'
const MAX_ATTEMPTS = 5

async function createTables(client: ClickHouseClient, layout: Layout, migration: Migration): Promise<void> {
  for (const sql of layOut([migration], layout)) {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.command({ query: fillLayout(sql, layout) })
        break
      } catch (error) {
        if (!(error instanceof ClickHouseError && error.code === IS_ALTERED) || attempt === MAX_ATTEMPTS) throw error
      }
    }
  }
}

/** Fills the tables of a version from existing rows: all of them, or those that were missing or whose view was. */
async function fillTables(
  client: ClickHouseClient,
  layout: Layout,
  migration: Migration,
  missing: ReadonlySet<string> | undefined,
): Promise<void> {
  const views = layOut([migration], layout)
    .flatMap((sql) => fillingView(sql) ?? [])
    .filter(({ view, target }) => missing === undefined || missing.has(view) || missing.has(target))
  for (const view of views) await backfill(client, layout, view)
}

async function record(client: ClickHouseClient, database: string, { version, checksum }: Migration): Promise<void> {
  await client.insert({
    table: `${database}.${VERSIONS_TABLE}`,
    values: [{ Version: version, Checksum: checksum }],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}

const COMPUTED = COMPUTED_COLUMNS.map(({ name }) => name).join(', ')

/**
 * Fills the target of a view from the rows that its source had before the view, one day at a time. Rows that the view
 * writes meanwhile are duplicated, and so are rows that several replicas of a shard add; the targets tolerate
 * duplicates. A lookup that is a plain MergeTree is skipped: a collector created it, and the collector's own view has
 * filled it.
 */
async function backfill(
  client: ClickHouseClient,
  layout: Layout,
  { source, from, target, select }: FillingView,
): Promise<void> {
  const { database } = layout
  if (source === 'spans' && !(await findTables(client, database, [target])).some(isMerging)) return
  const own = `${database}.${ownTable(layout, from)}`
  const columns = source === 'spans' ? `*, ${COMPUTED}` : '*'
  for (const day of await daysWithRows(client, own)) {
    const rows = `(SELECT ${columns} FROM ${own} WHERE toDate(Timestamp) = '${day}')`
    const query = fillSql(select, { database, [source]: rows })
    const filled = await columnNames(client, query)
    await client.command({
      query: `INSERT INTO ${database}.${target} (${filled.join(', ')}) ${query}`,
      clickhouse_settings: { max_partitions_per_insert_block: '0', max_bytes_before_external_group_by: '1000000000' },
    })
  }
}

async function daysWithRows(client: ClickHouseClient, table: string): Promise<string[]> {
  const query = `SELECT DISTINCT toString(toDate(Timestamp)) AS day FROM ${table} ORDER BY day`
  return (await selectRows<{ day: string }>(client, query)).map(({ day }) => day)
}

async function columnNames(client: ClickHouseClient, select: string): Promise<string[]> {
  return (await selectRows<{ name: string }>(client, `DESCRIBE TABLE (${select})`)).map(({ name }) => name)
}
