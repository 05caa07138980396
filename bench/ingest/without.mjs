// What a part of the store costs: the statements that take it away.
const PARTS = {
  lookups: `SELECT 'DROP VIEW ' || database || '.' || name || ' SYNC' AS sql FROM system.tables
            WHERE database = {database:String} AND engine = 'MaterializedView' AND name NOT LIKE 'otlp%'`,
  indexes: `SELECT 'ALTER TABLE ' || database || '.' || table || ' DROP INDEX ' || name AS sql
            FROM system.data_skipping_indices WHERE database = {database:String} AND table = 'otel_traces'`,
  merges: `SELECT 'SYSTEM STOP MERGES ' || database || '.' || name AS sql FROM system.tables
           WHERE database = {database:String} AND engine LIKE '%MergeTree'`,
}

export async function takeAway(client, database, parts) {
  for (const part of parts) {
    const rows = await client.query({ query: PARTS[part], query_params: { database }, format: 'JSONEachRow' })
    for (const { sql } of await rows.json()) await client.command({ query: sql })
  }
}
