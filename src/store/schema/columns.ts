import type { ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { selectRows } from '../client/select-rows.js'

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

/** Throws `schema_mismatch` if an existing span table, `database.name`, does not have the collector's 22 columns. */
export function checkSpanColumns(table: string, columns: readonly ColumnRow[]): void {
  const types = new Map(
    columns.map(({ name, type }) => [name, type.replace(/DateTime64\(9, '[^']*'\)/, 'DateTime64(9)')]),
  )
  if (types.size === 0) return
  for (const [name, expected] of Object.entries(SPAN_COLUMNS)) {
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
