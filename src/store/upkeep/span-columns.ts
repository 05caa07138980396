import type { ClickHouseClient } from '@clickhouse/client'

import { SPAN_COLUMNS } from '../schema/columns.js'
import { selectRows } from '../client/select-rows.js'
import { COMPUTED_COLUMNS } from '../schema/stored-columns.js'

/** A column of the span table that differs from planspan's schema. */
export interface ChangedColumn {
  readonly name: string
  /** Type and expression, as ClickHouse formats them. */
  readonly is: string
  readonly wanted: string
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly kind: string
  readonly expression: string
  /** planspan's expression, as ClickHouse formats it. */
  readonly wanted: string
  /** Whether it belongs to a Distributed table, whose local tables compute the value. */
  readonly isForwarding: 0 | 1
}

const COLUMNS = `SELECT name, type, default_kind AS kind, default_expression AS expression,
    transform(name, {names:Array(String)}, arrayMap(
      one -> substring(formatQuerySingleLine(concat('SELECT ', one)), length('SELECT ') + 1), {expressions:Array(String)}
    ), '') AS wanted,
    table IN (SELECT name FROM system.tables WHERE database = {database:String} AND engine = 'Distributed') AS isForwarding
  FROM system.columns WHERE database = {database:String} AND table = 'otel_traces'`

/** Compares the columns of the span table with planspan's schema. */
export async function readSpanColumns(
  client: ClickHouseClient,
  database: string,
): Promise<{ missing: string[]; changed: ChangedColumn[] }> {
  const rows = await selectRows<ColumnRow>(client, COLUMNS, {
    database,
    names: COMPUTED_COLUMNS.map(({ name }) => name),
    expressions: COMPUTED_COLUMNS.map(({ expression }) => expression),
  })
  const found = new Map(rows.map((column) => [column.name, column]))
  const wanted = [
    ...Object.entries(SPAN_COLUMNS).map(([name, type]) => ({ name, type, kind: '' })),
    ...COMPUTED_COLUMNS,
  ]
  return {
    missing: wanted.flatMap(({ name }) => (found.has(name) ? [] : [name])),
    changed: wanted.flatMap((column): ChangedColumn[] => {
      const there = found.get(column.name)
      if (!there) return []
      const type = there.type.replace(/DateTime64\(9, '[^']*'\)/, 'DateTime64(9)')
      const is = there.isForwarding ? type : written(type, there.kind, there.expression)
      const made = there.isForwarding ? column.type : written(column.type, column.kind, there.wanted)
      return is === made ? [] : [{ name: column.name, is, wanted: made }]
    }),
  }
}

const written = (type: string, kind: string, expression: string): string =>
  [type, kind, expression].filter(Boolean).join(' ')
