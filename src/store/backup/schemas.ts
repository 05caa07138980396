import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { readApplied } from '../migrate-tables.js'
import { isKnownForm, readMigrations } from '../migrations.js'

/** By database: the migrations that it has noted, with their checksums. */
export type Schemas = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

interface NamedTable {
  readonly database: string
  readonly table: string
}

/** The migrations of all databases that have planspan's tables. */
export async function readSchemas(client: ClickHouseClient, tables: readonly NamedTable[]): Promise<Schemas> {
  const own = tables.filter(({ table }) => table === 'planspan_migrations')
  const entries = own.map(
    async ({ database }) => [database, Object.fromEntries(await readApplied(client, database))] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** Throws `schema_mismatch` for databases that a later planspan has made; earlier ones are brought along by `serve`. */
export function checkSchemas(schemas: Schemas, madeBy: string): void {
  const migrations = readMigrations()
  const last = migrations.at(-1)?.id ?? ''
  for (const [database, applied] of Object.entries(schemas)) {
    const later = Object.keys(applied).filter((id) => id > last)
    const unknown = migrations.filter((migration) => !isKnownForm(migration, applied[migration.id] ?? []))
    const odd = [...later, ...unknown.map(({ id }) => id)]
    if (odd.length === 0) continue
    throw new PlanspanError(
      'schema_mismatch',
      `The database ${database} of the backup was made by planspan ${madeBy}, whose ${odd.join(', ')} this version does ` +
        'not know. Restore it with that version or a later one.',
    )
  }
}
