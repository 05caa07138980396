import { PlanspanError } from '../../error.js'
import { checkDatabaseName } from '../client/sql-file.js'
import { VERSIONS_TABLE } from '../schema/schema-version.js'
import { findTables } from '../schema/tables.js'
import { type At, withClient } from '../client/with-client.js'

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
