import type { ClickHouseClient } from '@clickhouse/client'

/** Creates a database if it is missing. */
export async function createDatabase(client: ClickHouseClient, database: string): Promise<void> {
  const found = await client.query({
    query: 'SELECT name FROM system.databases WHERE name = {database:String}',
    query_params: { database },
    format: 'JSONEachRow',
  })
  // Checked first, since a user with rights on this one database may not create databases.
  if ((await found.json()).length === 0) await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` })
}
