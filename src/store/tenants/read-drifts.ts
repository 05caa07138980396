import { readSchemaDrift, type SchemaDrift } from '../upkeep/index.js'
import { listDatabases, type PlanspanDatabase, withClient } from './list-databases.js'

/** How a database with planspan's tables differs from what this planspan makes. */
export interface DatabaseDrift extends Pick<PlanspanDatabase, 'database' | 'schema'> {
  readonly drift: SchemaDrift
}

/** Compares all databases with planspan's tables that the user may see. Throws what a query throws. */
export async function readDrifts(url: string): Promise<DatabaseDrift[]> {
  const databases = await listDatabases(url)
  return withClient({ url, database: 'system' }, async (client) => {
    const drifts: DatabaseDrift[] = []
    for (const { database, schema } of databases) {
      drifts.push({ database, schema, drift: await readSchemaDrift({ client, url, database }) })
    }
    return drifts
  })
}
