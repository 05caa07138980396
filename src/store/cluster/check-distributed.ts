import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { readColumns } from '../schema/columns.js'
import { madeBy } from '../schema/layout.js'
import { readMigrations } from '../schema/migrations.js'
import { checkVersions, readApplied } from '../schema/schema-version.js'
import { COMPUTED_COLUMNS } from '../schema/stored-columns.js'
import { readViews } from '../views/views.js'

/**
 * Checks the schema of a database of Distributed tables. Throws `schema_mismatch` with the missing tables and columns.
 */
export async function checkDistributed(client: ClickHouseClient, database: string): Promise<void> {
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
