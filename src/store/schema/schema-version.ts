import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { readColumns } from './tables.js'
import { readMigrations } from './migrations.js'
import { selectRows } from '../client/client.js'

/** A version of the schema as it was applied to a database. */
export interface AppliedVersion {
  readonly version: number
  readonly checksum: string
}

/**
 * How the schema of a database compares with that of this planspan: `behind` can be upgraded, `newer` was created by a
 * newer version, `development` by a development build.
 */
export type SchemaState = 'current' | 'behind' | 'newer' | 'development'

/** The table of applied versions. */
export const VERSIONS_TABLE = 'planspan_migrations'

/** Stands for the schema of a development build. */
const DEVELOPMENT: AppliedVersion = { version: 0, checksum: '' }

/** Reads the versions that were applied to a database; an empty list for a database without planspan's tables. */
export async function readApplied(client: ClickHouseClient, database: string): Promise<AppliedVersion[]> {
  const columns = await readColumns(client, database, [VERSIONS_TABLE, 'plan_states'])
  if (columns.length === 0) return []
  const notesVersions = columns.some(({ table, name }) => table === VERSIONS_TABLE && name === 'Version')
  if (!notesVersions) return [DEVELOPMENT]
  const query = `SELECT DISTINCT Version AS version, Checksum AS checksum FROM ${database}.${VERSIONS_TABLE} ORDER BY ALL`
  return selectRows(client, query)
}

/** Compares applied versions with those of this planspan. */
export function schemaState(applied: readonly AppliedVersion[]): SchemaState {
  const known = new Map(readMigrations().map(({ version, checksum }) => [version, checksum]))
  if (applied.some(({ version }) => version > known.size)) return 'newer'
  if (applied.some(({ version, checksum }) => known.get(version) !== checksum)) return 'development'
  return applied.length === known.size ? 'current' : 'behind'
}

/** Throws `schema_mismatch` for a schema that is newer or a development build's. `whose` names the database. */
export function checkVersions(applied: readonly AppliedVersion[], whose: string): void {
  const state = schemaState(applied)
  if (state === 'newer') {
    const newest = applied.reduce((max, { version }) => Math.max(max, version), 0)
    throw new PlanspanError(
      'schema_mismatch',
      `${whose} has version ${String(newest)} of the schema, and this planspan supports versions up to ` +
        `${String(readMigrations().length)}. Use the planspan that created it, or a newer one.`,
    )
  }
  if (state === 'development') {
    throw new PlanspanError(
      'schema_mismatch',
      `${whose} was created by a development build, whose schema this planspan does not upgrade: export its plans with ` +
        'that build (`planspan export`), and import them with this one (`planspan import`) into a new data directory or ' +
        'database. docs/versions.md#data-of-a-development-build has the commands.',
    )
  }
}
