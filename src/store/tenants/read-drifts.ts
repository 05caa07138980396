import { type IndexState, readIndexState, readSchemaDrift, type SchemaDrift } from '../upkeep/index.js'
import { withClient } from '../client/with-client.js'
import { listDatabases, type PlanspanDatabase } from './list-databases.js'

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
