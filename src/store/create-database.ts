import type { ClickHouseClient } from '@clickhouse/client'

import { selectRows } from './select-rows.js'

/** Creates a database if it is missing. */
export async function createDatabase(client: ClickHouseClient, database: string): Promise<void> {
  const query = 'SELECT name FROM system.databases WHERE name = {database:String}'
  const found = await selectRows(client, query, { database })
  // Checked first, since a user with rights on this one database may not create databases.
  if (found.length === 0) await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` })
}
