import type { ClickHouseClient } from '@clickhouse/client'

import { selectRows } from '../client/select-rows.js'

/** A table or view of a server. */
export interface FoundTable {
  readonly name: string
  readonly engine: string
  readonly comment: string
}

/** Returns the tables and views that exist among some names. */
export const findTables = (
  client: ClickHouseClient,
  database: string,
  names: readonly string[],
): Promise<FoundTable[]> =>
  selectRows(
    client,
    `SELECT name, engine, comment FROM system.tables
     WHERE database = {database:String} AND name IN {names:Array(String)}`,
    { database, names },
  )

/** Whether a table merges its rows, as planspan's own lookups do. */
export const isMerging = ({ engine }: FoundTable): boolean => /(Aggregating|Replacing)MergeTree$/.test(engine)

/** Creates a database if it is missing. */
export async function createDatabase(client: ClickHouseClient, database: string): Promise<void> {
  const query = 'SELECT name FROM system.databases WHERE name = {database:String}'
  const found = await selectRows(client, query, { database })
  // Checked first, since a user with rights on this one database may not create databases.
  if (found.length === 0) await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` })
}
