import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { checkAges, type ColdVolume } from '../ageing/index.js'
import { applyRetention, checkRetention } from '../ageing/retention.js'
import { checkDatabaseName } from '../client/sql-file.js'
import { applyViews, checkViewNames } from '../views/apply-views.js'
import { readViews } from '../views/views.js'
import { readColumns, createDatabase, findTables } from './tables.js'
import { madeBy } from './layout.js'
import { migrateTables } from './migrate-tables.js'
import { readMigrations } from './migrations.js'
import { checkVersions, readApplied } from './schema-version.js'
import { COMPUTED_COLUMNS } from './stored-columns.js'

export interface MigrateOptions {
  database: string
  /**
   * Days after which ClickHouse drops spans; lookup rows are kept a week longer.
   * @default no limit: a limit that was set before is removed
   */
  retentionDays?: number
  /**
   * The volume for old spans; lookup rows do not move.
   * @default no volume: an earlier TTL that moves spans is removed, and moved spans stay
   */
  cold?: ColdVolume
}

/**
 * Migrates a database of one server to planspan's schema: its tables, its views and how its spans age. Tables of a
 * cluster, which `migrateCluster` migrates, are only checked. Several processes may do so at once. Throws
 * `schema_mismatch`, and `usage` for ages that cannot be set.
 */
export async function migrate(
  client: ClickHouseClient,
  { database, retentionDays, cold }: MigrateOptions,
): Promise<void> {
  checkDatabaseName(database)
  checkAges(retentionDays, cold?.afterDays)
  await createDatabase(client, database)
  const [spans] = await findTables(client, database, ['otel_traces'])
  if (spans?.engine === 'Distributed') {
    if (cold) throw movesNothing(database)
    await checkDistributed(client, database)
    if (retentionDays !== undefined) await checkRetention(client, database, retentionDays)
    return
  }
  await checkViewNames(client, database)
  await migrateTables(client, { database })
  await applyViews(client, database)
  await applyRetention(client, { database }, { retentionDays, cold })
}

const movesNothing = (database: string): PlanspanError =>
  new PlanspanError(
    'usage',
    `${database}.otel_traces is a Distributed table, and planspan moves no spans of its local tables. Omit --cold-after, and set ` +
      'the storage policy and the TTL of otel_traces_local as docs/deployment.md#cold-data shows.',
  )

/**
 * Checks the schema of a database of Distributed tables. Throws `schema_mismatch` with the missing tables and columns.
 */
async function checkDistributed(client: ClickHouseClient, database: string): Promise<void> {
  checkVersions(await readApplied(client, database), `The database ${database}`)
  const names = [...madeBy(readMigrations(), { database }), ...readViews().map(({ name }) => name)]
  const found = await readColumns(client, database, names)
  const tables = new Set(found.map(({ table }) => table))
  const columns = new Set(found.filter(({ table }) => table === 'otel_traces').map(({ name }) => name))
  const missing = [
    ...names.filter((name) => !tables.has(name)),
    ...COMPUTED_COLUMNS.filter(({ name }) => !columns.has(name)).map(({ name }) => `otel_traces.${name}`),
  ]
  if (missing.length === 0) return
  const few = missing.length > SHOWN ? [...missing.slice(0, SHOWN), `${String(missing.length - SHOWN)} more`] : missing
  throw new PlanspanError(
    'schema_mismatch',
    `${database}.otel_traces is a Distributed table, and its server lacks ${few.join(', ')}. ` +
      `Run \`planspan schema --cluster NAME --apply --database ${database} --clickhouse URL\`.`,
  )
}

const SHOWN = 8
