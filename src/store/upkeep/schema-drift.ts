import type { ClickHouseClient } from '@clickhouse/client'

import { selectRows } from '../client/client.js'
import type { QueryTarget } from '../client/query.js'
import { madeBy } from '../schema/layout.js'
import { readMigrations } from '../schema/migrations.js'
import { COMPUTED_COLUMNS } from '../schema/stored-columns.js'
import { findTables, LOG_COLUMNS, SPAN_COLUMNS } from '../schema/tables.js'
import { spanEngine } from '../views/apply-views.js'
import { definitionMark, readViews } from '../views/views.js'

/** A column of the collector's tables that differs from planspan's schema. */
interface ChangedColumn {
  readonly table: string
  readonly name: string
  /** Type and expression, as ClickHouse formats them. */
  readonly is: string
  readonly wanted: string
}

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly kind: string
  readonly expression: string
  /** planspan's expression, as ClickHouse formats it. */
  readonly wanted: string
  /** Whether it belongs to a Distributed table, whose local tables compute the value. */
  readonly isForwarding: 0 | 1
}

const COLUMNS = `SELECT table, name, type, default_kind AS kind, default_expression AS expression,
    transform(name, {names:Array(String)}, arrayMap(
      one -> substring(formatQuerySingleLine(concat('SELECT ', one)), length('SELECT ') + 1), {expressions:Array(String)}
    ), '') AS wanted,
    table IN (SELECT name FROM system.tables WHERE database = {database:String} AND engine = 'Distributed') AS isForwarding
  FROM system.columns WHERE database = {database:String} AND table IN ('otel_traces', 'otel_logs')`

const named = (table: string, columns: Readonly<Record<string, string>>) =>
  Object.entries(columns).map(([name, type]) => ({ table, name, type, kind: '' }))

const WANTED = [
  ...named('otel_traces', SPAN_COLUMNS),
  ...COMPUTED_COLUMNS.map((column) => ({ table: 'otel_traces', ...column })),
  ...named('otel_logs', { ...LOG_COLUMNS, EventName: 'String' }),
]

/** Compares the columns of the collector's tables with planspan's schema. */
async function readColumns(
  client: ClickHouseClient,
  database: string,
): Promise<{ missing: string[]; changed: ChangedColumn[] }> {
  const rows = await selectRows<ColumnRow>(client, COLUMNS, {
    database,
    names: COMPUTED_COLUMNS.map(({ name }) => name),
    expressions: COMPUTED_COLUMNS.map(({ expression }) => expression),
  })
  const keyOf = ({ table, name }: Pick<ColumnRow, 'table' | 'name'>): string => `${table}.${name}`
  const found = new Map(rows.map((column) => [keyOf(column), column]))
  return {
    missing: WANTED.map(keyOf).filter((key) => !found.has(key)),
    changed: WANTED.flatMap((column): ChangedColumn[] => {
      const there = found.get(keyOf(column))
      if (!there) return []
      const type = there.type.replace(/DateTime64\(9, '[^']*'\)/, 'DateTime64(9)')
      const is = there.isForwarding ? type : written(type, there.kind, there.expression)
      const made = there.isForwarding ? column.type : written(column.type, column.kind, there.wanted)
      return is === made ? [] : [{ table: column.table, name: column.name, is, wanted: made }]
    }),
  }
}

const written = (type: string, kind: string, expression: string): string =>
  [type, kind, expression].filter(Boolean).join(' ')

/** The differences between a database and this planspan's schema. */
export interface SchemaDrift {
  /** Missing tables and materialized views. */
  readonly missingTables: readonly string[]
  readonly missingViews: readonly string[]
  /** Views whose definition was changed. */
  readonly changedViews: readonly string[]
  /** Missing columns of the collector's tables, with the name of the table. */
  readonly missingColumns: readonly string[]
  /** Columns of the collector's tables with another type or expression. */
  readonly changedColumns: readonly ChangedColumn[]
}

/** Compares the tables of one server; `migrateCluster` compares the hosts of a cluster. */
export async function readSchemaDrift({ client, database }: QueryTarget): Promise<SchemaDrift> {
  const tables = madeBy(readMigrations(), { database })
  const views = readViews(await spanEngine(client, database))
  const names = [...tables, ...views.map(({ name }) => name)]
  const [rows, columns] = await Promise.all([findTables(client, database, names), readColumns(client, database)])
  const found = new Map(rows.map((table) => [table.name, table]))
  return {
    missingTables: tables.filter((name) => !found.has(name)),
    missingViews: views.map(({ name }) => name).filter((name) => !found.has(name)),
    changedViews: views
      .filter((view) => found.get(view.name)?.comment.endsWith(definitionMark(view)) === false)
      .map(({ name }) => name),
    missingColumns: columns.missing,
    changedColumns: columns.changed,
  }
}
