import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../error.js'
import { backfill } from './backfill.js'
import { checkSpanColumns, readColumns } from './columns.js'
import { readMigrations, type Migration } from './migrations.js'
import { applyRetention, checkRetention } from './retention.js'
import { checkDatabaseName, fillSql, splitSql } from './sql-file.js'
import { applyViews } from './views/apply-views.js'
import { readViews } from './views/views.js'

export interface MigrateOptions {
  database: string
  /**
   * Days after which ClickHouse drops spans; lookup rows are kept a week longer.
   * @default no limit: a limit that was set before is removed
   */
  retentionDays?: number
}

/**
 * Migrates a database to planspan's schema: creates what is missing, accepts span tables that a collector created, and
 * fills planspan's own tables from existing spans. Several processes may do so at once. Throws `schema_mismatch` for
 * tables that are not the collector's and for a migration that was changed after it was applied.
 */
export async function migrate(client: ClickHouseClient, { database, retentionDays }: MigrateOptions): Promise<void> {
  checkDatabaseName(database)
  checkRetention(retentionDays)
  await createDatabase(client, database)
  checkSpanColumns(database, await readColumns(client, database, ['otel_traces']))
  const migrations = readMigrations()
  if (await isDistributed(client, database)) {
    await checkTables(client, database, migrations)
    return
  }
  await createMigrationsTable(client, database)
  const applied = await readApplied(client, database)
  for (const migration of migrations) {
    const checksums = applied.get(migration.id)
    if (checksums === undefined) await apply(client, database, migration)
    else checkUnchanged(database, migration, checksums)
  }
  await applyViews(client, database)
  await applyRetention(client, database, retentionDays)
}

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS \${database}.planspan_migrations (
  Id String,
  Checksum String,
  AppliedAt DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY Id`

async function createDatabase(client: ClickHouseClient, database: string): Promise<void> {
  const found = await client.query({
    query: 'SELECT name FROM system.databases WHERE name = {database:String}',
    query_params: { database },
    format: 'JSONEachRow',
  })
  // Checked first, since a user with rights on this one database may not create databases.
  if ((await found.json()).length === 0) await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` })
}

/** Creates the table only if it is missing, so that a read-only user can serve a database that is up to date. */
async function createMigrationsTable(client: ClickHouseClient, database: string): Promise<void> {
  if ((await readColumns(client, database, ['planspan_migrations'])).length > 0) return
  await client.command({ query: fillSql(MIGRATIONS_TABLE, { database }) })
}

/** Applies a migration. Its statements are idempotent, so it can be interrupted, or run twice at once. */
async function apply(client: ClickHouseClient, database: string, { id, sql, checksum }: Migration): Promise<void> {
  const statements = splitSql(sql)
  for (const statement of statements) {
    await client.command({ query: fillSql(statement, { database, spans: `${database}.otel_traces` }) })
  }
  for (const statement of statements) await backfill(client, database, statement)
  await client.insert({
    table: `${database}.planspan_migrations`,
    values: [{ Id: id, Checksum: checksum }],
    columns: ['Id', 'Checksum'],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}

async function readApplied(client: ClickHouseClient, database: string): Promise<Map<string, string[]>> {
  const rows = await client.query({
    query: `SELECT Id, groupUniqArray(Checksum) AS Checksums FROM ${database}.planspan_migrations GROUP BY Id`,
    format: 'JSONEachRow',
  })
  return new Map((await rows.json<{ Id: string; Checksums: string[] }>()).map(({ Id, Checksums }) => [Id, Checksums]))
}

function checkUnchanged(database: string, { id, checksum }: Migration, applied: readonly string[]): void {
  if (applied.every((other) => other === checksum)) return
  throw new PlanspanError(
    'schema_mismatch',
    `The migration ${id} was applied to the database ${database} in another form than this version of planspan has it. ` +
      'Use the version that made the database, or another --database.',
  )
}

async function isDistributed(client: ClickHouseClient, database: string): Promise<boolean> {
  const rows = await client.query({
    query: `SELECT engine FROM system.tables WHERE database = {database:String} AND name = 'otel_traces'`,
    query_params: { database },
    format: 'JSONEachRow',
  })
  return (await rows.json<{ engine: string }>()).some(({ engine }) => engine === 'Distributed')
}

/** Checks a cluster's tables, which are created by hand from the output of `planspan schema --cluster`. */
async function checkTables(
  client: ClickHouseClient,
  database: string,
  migrations: readonly Migration[],
): Promise<void> {
  const made = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS \$\{database\}\.(\w+)/g)].map(
      ([, name = '']) => name,
    ),
  )
  const names = [...made, ...readViews().map(({ name }) => name)]
  const found = new Set((await readColumns(client, database, names)).map(({ table }) => table))
  const missing = names.filter((name) => !found.has(name))
  if (missing.length === 0) return
  throw new PlanspanError(
    'schema_mismatch',
    `${database}.otel_traces is a Distributed table, and beside it ${missing.join(', ')} is missing. ` +
      'Apply what `planspan schema --cluster NAME` prints.',
  )
}
