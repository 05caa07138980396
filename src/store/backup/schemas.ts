import type { ClickHouseClient } from '@clickhouse/client'

import { checkVersions, readApplied, VERSIONS_TABLE, type AppliedVersion } from '../schema/schema-version.js'

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
