import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../error.js'
import { backfill } from './backfill.js'
import { checkSpanColumns, readColumns } from './columns.js'
import {
  bareName,
  fillLayout,
  formMark,
  layOut,
  lookupsOf,
  madeBy,
  materializedView,
  ownTable,
  type Layout,
} from './layout.js'
import { isKnownForm, readMigrations, type Migration } from './migrations.js'
import { fillSql } from './sql-file.js'
import { findTables, isMerging } from './tables.js'

/**
 * Brings the tables of a layout on one server to the form of today: creates what is missing, accepts span tables that a
 * collector created, and fills planspan's own tables from existing spans. Can be interrupted, and several processes may
 * do so at once. Throws `schema_mismatch` for tables that are not the collector's and for a migration that was applied
 * in a form that this version does not know.
 */
export async function migrateTables(client: ClickHouseClient, layout: Layout): Promise<void> {
  const { database } = layout
  const spans = ownTable(layout, 'otel_traces')
  checkSpanColumns(`${database}.${spans}`, await readColumns(client, database, [spans]))
  await createMigrationsTable(client, database)
  const applied = await readApplied(client, database)
  const lacks = await lackedTables(client, layout)
  for (const migration of readMigrations()) {
    const checksums = applied.get(migration.id) ?? []
    const isRecorded = checksums.includes(migration.checksum)
    if (isRecorded && !madeBy([migration], layout).some((name) => lacks.has(name))) continue
    checkForm(database, migration, checksums)
    await apply(client, layout, migration, { isFilled: !isRecorded && checksums.includes(migration.madeBy) })
    if (!isRecorded) await record(client, database, migration)
  }
}

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS \${database}.planspan_migrations (
  Id String,
  Checksum String,
  AppliedAt DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY Id`

/** Creates the table only if it is missing, so that a read-only user can serve a database that is up to date. */
async function createMigrationsTable(client: ClickHouseClient, database: string): Promise<void> {
  if ((await readColumns(client, database, ['planspan_migrations'])).length > 0) return
  await client.command({ query: fillSql(MIGRATIONS_TABLE, { database }) })
}

/** What a cluster's host lacks. On one server, whoever serves it may not see all of its tables. */
async function lackedTables(client: ClickHouseClient, layout: Layout): Promise<Set<string>> {
  if (!layout.cluster) return new Set()
  const names = madeBy(readMigrations(), layout)
  const found = new Set((await findTables(client, layout.database, names)).map(({ name }) => name))
  return new Set(names.filter((name) => !found.has(name)))
}

function checkForm(database: string, migration: Migration, applied: readonly string[]): void {
  if (isKnownForm(migration, applied)) return
  throw new PlanspanError(
    'schema_mismatch',
    `The migration ${migration.id} was applied to the database ${database} in another form than this version of planspan has it. ` +
      'Use the version that made the database, or another --database.',
  )
}

/** ClickHouse's error codes UNKNOWN_TABLE, TABLE_IS_DROPPED and CANNOT_ASSIGN_ALTER. */
const CHANGED_BY_ANOTHER = new Set(['60', '218', '517'])
const MAX_ATTEMPTS = 5

/**
 * Applies a migration. It starts over if another process has changed a table meanwhile: one that found a lookup in an
 * earlier form drops it even if it has just been made anew, and what one replica was given, another takes over later.
 * `isFilled` says that the lookups were filled as they are today: those that stand are not filled again.
 */
async function apply(
  client: ClickHouseClient,
  layout: Layout,
  migration: Migration,
  { isFilled }: { readonly isFilled: boolean },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await dropEarlierLookups(client, layout, migration)
      const statements = layOut([migration], layout)
      const outdated = await standingViews(client, layout, statements)
      for (const sql of statements) await client.command({ query: fillLayout(sql, layout) })
      for (const { view, select } of outdated) {
        await client.command({ query: fillLayout(`ALTER TABLE ${view} MODIFY QUERY\n${select}`, layout) })
      }
      const made = lookupsOf(migration).map(({ table }) => table)
      const filled = new Set(isFilled ? outdated.map(({ view }) => view) : [])
      for (const sql of statements) {
        if (!filled.has(materializedView(sql)?.view ?? '')) await backfill(client, layout, sql, made)
      }
      return
    } catch (error) {
      const isChanged = error instanceof ClickHouseError && CHANGED_BY_ANOTHER.has(error.code)
      if (!isChanged || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** The materialized views of statements that are there already. Altered, not made anew, they miss no rows meanwhile. */
async function standingViews(
  client: ClickHouseClient,
  { database }: Layout,
  statements: readonly string[],
): Promise<{ view: string; select: string }[]> {
  const views = statements.flatMap((sql) => materializedView(sql) ?? [])
  const names = views.map(({ view }) => bareName(view))
  const found = new Set((await findTables(client, database, names)).map(({ name }) => name))
  return views.filter(({ view }) => found.has(bareName(view)))
}

/**
 * Drops the lookups that an earlier form of a migration made, to be made anew from the spans, which hold all of it.
 * Whether it is one, the table itself tells: what was applied by hand is recorded nowhere.
 */
async function dropEarlierLookups(client: ClickHouseClient, layout: Layout, migration: Migration): Promise<void> {
  const { database, cluster } = layout
  const lookups = lookupsOf(migration)
  const own = lookups.map(({ table }) => ownTable(layout, table))
  const found = await findTables(client, database, own)
  // Collectors make and fill their own.
  const earlier = found.filter((table) => isMerging(table) && !table.comment.endsWith(formMark(migration)))
  const drop = (what: 'VIEW' | 'TABLE', name: string) =>
    client.command({
      query: `DROP ${what} IF EXISTS ${database}.${name} SYNC`,
      clickhouse_settings: { max_table_size_to_drop: '0' },
    })
  for (const { name } of earlier) {
    const { table, views } = lookups.find((lookup) => ownTable(layout, lookup.table) === name) ?? {
      table: name,
      views: [],
    }
    for (const view of [...views, ...migration.former]) await drop('VIEW', view)
    // A Distributed table of a lookup holds nothing: views write to the tables of their own server.
    if (cluster !== undefined) await drop('TABLE', table)
    await drop('TABLE', name)
  }
}

async function record(client: ClickHouseClient, database: string, { id, checksum }: Migration): Promise<void> {
  await client.insert({
    table: `${database}.planspan_migrations`,
    values: [{ Id: id, Checksum: checksum }],
    columns: ['Id', 'Checksum'],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}

/** The checksums of the migrations that a database has noted. */
export async function readApplied(client: ClickHouseClient, database: string): Promise<Map<string, string[]>> {
  const rows = await client.query({
    query: `SELECT Id, groupUniqArray(Checksum) AS Checksums FROM ${database}.planspan_migrations GROUP BY Id`,
    format: 'JSONEachRow',
  })
  return new Map((await rows.json<{ Id: string; Checksums: string[] }>()).map(({ Id, Checksums }) => [Id, Checksums]))
}
