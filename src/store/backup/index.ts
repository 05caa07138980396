import type { ClickHouseClient } from '@clickhouse/client'

import { selectRows, withClient } from '../client/client.js'
import { insertLockOf } from '../ingest/index.js'
import { INDEX_TABLES, WATERMARKS } from '../row-tables/index.js'
import { checkVersions, readApplied, VERSIONS_TABLE, type AppliedVersion } from '../schema/schema-version.js'

/** A table with files on disk. */
export interface FrozenTable {
  readonly database: string
  readonly table: string
  readonly uuid: string
}

/** A snapshot of all tables. */
export interface Frozen {
  readonly clickhouse: string
  readonly tables: readonly FrozenTable[]
  readonly schemas: Schemas
  /** How long inserts were paused, including the wait for running inserts, milliseconds. */
  readonly heldMs: number
}

const TABLES = `SELECT database, name AS table, toString(uuid) AS uuid FROM system.tables
  WHERE engine LIKE '%MergeTree' AND NOT is_temporary AND lower(database) NOT IN ('system', 'information_schema')`

/**
 * Freezes the files of all tables of all databases under a name while inserts are paused; `copy` is called during the
 * pause, too. Throws `store_busy`, `store_unreachable`, `clickhouse_failed`.
 */
export const freezeTables = (url: string, name: string, copy: () => void): Promise<Frozen> =>
  withClient({ url, database: 'system' }, async (client) => {
    const [version] = await selectRows<{ version: string }>(client, 'SELECT version() AS version')
    const began = performance.now()
    const held = await insertLockOf(url).exclusive(async () => {
      const tables = await selectRows<FrozenTable>(client, TABLES)
      copy()
      for (const group of inOrder(tables)) {
        const freezing = group.map((table) => freeze(client, table, name))
        // Wait for all of them even if one fails, because the caller then removes the frozen files.
        await Promise.allSettled(freezing)
        await Promise.all(freezing)
      }
      return { tables, heldMs: performance.now() - began }
    })
    const schemas = await readSchemas(client, held.tables)
    return { clickhouse: version?.version ?? '', schemas, ...held }
  })

/**
 * Groups tables in the order in which they are frozen: watermarks, rows, spans. The indexer may write meanwhile, and
 * the backup has to contain the rows of everything that a watermark covers, and the spans of all rows.
 */
function inOrder(tables: readonly FrozenTable[]): FrozenTable[][] {
  const rows = new Set<string>(INDEX_TABLES.filter((table) => table !== WATERMARKS))
  return [
    tables.filter(({ table }) => table === WATERMARKS),
    tables.filter(({ table }) => rows.has(table)),
    tables.filter(({ table }) => table !== WATERMARKS && !rows.has(table)),
  ]
}

const freeze = (client: ClickHouseClient, { database, table }: FrozenTable, name: string) =>
  client.command({
    // A name takes no parameter. It has no character that would need quoting.
    query: `ALTER TABLE {database:Identifier}.{table:Identifier} FREEZE WITH NAME '${name}'`,
    query_params: { database, table },
  })

/** The applied versions of the schema, by database. */
export type Schemas = Readonly<Record<string, readonly AppliedVersion[]>>

interface NamedTable {
  readonly database: string
  readonly table: string
}

/** Reads the applied versions of all databases that have planspan's tables. */
export async function readSchemas(client: ClickHouseClient, tables: readonly NamedTable[]): Promise<Schemas> {
  const own = tables.filter(({ table }) => table === VERSIONS_TABLE)
  const entries = own.map(async ({ database }) => [database, await readApplied(client, database)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** Throws `schema_mismatch` for the first database that `serve` would reject after a restore. */
export function checkSchemas(schemas: Schemas): void {
  for (const [database, applied] of Object.entries(schemas)) {
    checkVersions(applied, `The database ${database} of the backup`)
  }
}
