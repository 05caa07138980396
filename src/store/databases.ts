import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../error.js'
import { selectRows, withClient, type At } from './client/client.js'
import { checkDatabaseName } from './client/sql-file.js'
import { readApplied, schemaState, VERSIONS_TABLE, type SchemaState } from './schema/schema-version.js'
import { findTables } from './schema/tables.js'
import { readIndexState, readSchemaDrift, type IndexState, type SchemaDrift } from './upkeep/index.js'

/** A database with planspan's tables. */
export interface PlanspanDatabase {
  readonly database: string
  /** The rows of the span table; a span may have several rows until they are merged. */
  readonly rows: number
  readonly bytesOnDisk: number
  /** The start time of its latest span, ISO 8601; undefined without spans. */
  readonly lastSpan: string | undefined
  /** How its schema compares with that of this version. A start upgrades a schema that is `behind`. */
  readonly schema: SchemaState
}

/** Whether a database exists and has planspan's tables. Throws what a query throws. */
export const isPlanspanDatabase = ({ url, database }: At): Promise<boolean> =>
  withClient({ url, database }, async (client) => (await databasesOf(client, database)).length > 0)

/** Lists the databases with planspan's tables that the user may see. Throws what a query throws. */
export const listDatabases = (url: string): Promise<PlanspanDatabase[]> =>
  withClient({ url, database: 'system' }, async (client) => {
    const found: PlanspanDatabase[] = []
    for (const database of await databasesOf(client)) found.push(await describe(client, database))
    return found
  })

async function databasesOf(client: ClickHouseClient, name = ''): Promise<string[]> {
  const query = `SELECT database FROM system.tables
    WHERE name = {mark:String} AND database IN if({name:String} = '', [database], [{name:String}]) ORDER BY database`
  const rows = await selectRows<{ database: string }>(client, query, { mark: VERSIONS_TABLE, name })
  return rows.map(({ database }) => database)
}

async function describe(client: ClickHouseClient, database: string): Promise<PlanspanDatabase> {
  const [spans] = await selectRows<{ rows: number; last: number }>(
    client,
    `SELECT toFloat64(count()) AS rows, toFloat64(toUnixTimestamp64Milli(max(Timestamp))) AS last FROM \`${database}\`.otel_traces`,
  )
  const [disk] = await selectRows<{ bytes: number }>(
    client,
    'SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = {database:String}',
    { database },
  )
  return {
    database,
    rows: spans?.rows ?? 0,
    bytesOnDisk: disk?.bytes ?? 0,
    lastSpan: spans?.rows ? new Date(spans.last).toISOString() : undefined,
    schema: schemaState(await readApplied(client, database)),
  }
}

/** Drops a database with planspan's tables. Throws `not_found` for other databases, and `usage`. */
export async function dropDatabase(at: At): Promise<void> {
  const { database } = at
  checkDatabaseName(database)
  await withClient(at, async (client) => {
    const found = await findTables(client, database, [VERSIONS_TABLE, 'otel_traces'])
    if (!found.some(({ name }) => name === VERSIONS_TABLE)) {
      throw new PlanspanError('not_found', `There is no database ${database} with planspan's tables.`)
    }
    if (found.some(({ engine }) => engine === 'Distributed')) {
      throw new PlanspanError(
        'usage',
        `${database} is a database of a cluster, and this host contains only a part of it. Drop it with ON CLUSTER.`,
      )
    }
    await client.command({
      query: `DROP DATABASE ${database} SYNC`,
      // Lift ClickHouse's limits on the size of a dropped table.
      clickhouse_settings: { max_table_size_to_drop: '0', max_partition_size_to_drop: '0' },
    })
  })
}

/** The differences between a database and this planspan's schema. */
export interface DatabaseDrift extends Pick<PlanspanDatabase, 'database' | 'schema'> {
  readonly drift: SchemaDrift
  /** Undefined where tables of the indexer are missing. */
  readonly index: IndexState | undefined
}

/** Compares all databases with planspan's tables that the user may see. Throws what a query throws. */
export async function readDrifts(url: string): Promise<DatabaseDrift[]> {
  const databases = await listDatabases(url)
  return withClient({ url, database: 'system' }, async (client) => {
    const drifts: DatabaseDrift[] = []
    for (const { database, schema } of databases) {
      const target = { client, url, database }
      const [drift, index] = await Promise.all([readSchemaDrift(target), readIndexState(target)])
      drifts.push({ database, schema, drift, index })
    }
    return drifts
  })
}
