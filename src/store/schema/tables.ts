import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { selectRows } from '../client/client.js'

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

/** The 22 columns of the collector's span table, by name and type. */
export const SPAN_COLUMNS = {
  Timestamp: 'DateTime64(9)',
  TraceId: 'String',
  SpanId: 'String',
  ParentSpanId: 'String',
  TraceState: 'String',
  SpanName: 'LowCardinality(String)',
  SpanKind: 'LowCardinality(String)',
  ServiceName: 'LowCardinality(String)',
  ResourceAttributes: 'Map(LowCardinality(String), String)',
  ScopeName: 'String',
  ScopeVersion: 'String',
  SpanAttributes: 'Map(LowCardinality(String), String)',
  Duration: 'UInt64',
  StatusCode: 'LowCardinality(String)',
  StatusMessage: 'String',
  'Events.Timestamp': 'Array(DateTime64(9))',
  'Events.Name': 'Array(LowCardinality(String))',
  'Events.Attributes': 'Array(Map(LowCardinality(String), String))',
  'Links.TraceId': 'Array(String)',
  'Links.SpanId': 'Array(String)',
  'Links.TraceState': 'Array(String)',
  'Links.Attributes': 'Array(Map(LowCardinality(String), String))',
} as const

/** The columns of the collector's log table that have the same type in all versions of the exporter. */
export const LOG_COLUMNS = {
  Timestamp: 'DateTime64(9)',
  TraceId: 'String',
  SpanId: 'String',
  ServiceName: 'LowCardinality(String)',
  Body: 'String',
  ResourceAttributes: 'Map(LowCardinality(String), String)',
  ScopeName: 'String',
  ScopeAttributes: 'Map(LowCardinality(String), String)',
  LogAttributes: 'Map(LowCardinality(String), String)',
} as const

interface ColumnRow {
  table: string
  name: string
  type: string
}

/** Reads all columns of some tables. */
export const readColumns = (
  client: ClickHouseClient,
  database: string,
  tables: readonly string[],
): Promise<ColumnRow[]> =>
  selectRows(
    client,
    `SELECT table, name, type FROM system.columns
     WHERE database = {database:String} AND table IN {tables:Array(String)} ORDER BY table, position`,
    { database, tables },
  )

/** Throws `schema_mismatch` if an existing table, `database.name`, does not have the collector's columns. */
export function checkColumns(
  table: string,
  columns: readonly ColumnRow[],
  expectedTypes: Readonly<Record<string, string>>,
): void {
  const types = new Map(
    columns.map(({ name, type }) => [name, type.replace(/DateTime64\(9, '[^']*'\)/, 'DateTime64(9)')]),
  )
  if (types.size === 0) return
  for (const [name, expected] of Object.entries(expectedTypes)) {
    const found = types.get(name)
    if (found === expected) continue
    const problem = found === undefined ? `has no column ${name}` : `has the column ${name} as ${found}`
    throw new PlanspanError(
      'schema_mismatch',
      `${table} ${problem}; the collector's ClickHouse exporter creates it as ${expected} ` +
        '(its option `json` must be off). Give planspan another database with --database, or rename that table.',
    )
  }
}
