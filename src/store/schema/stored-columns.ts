import { type AnyField, ATTR, FIELD_TABLES, PENDING } from '../../semconv/index.js'

/** A column of the span table that ClickHouse computes from an attribute of a span when one is inserted. */
export interface StoredColumn {
  readonly name: string
  readonly type: string
  /** The attribute. */
  readonly key: string
  readonly brief: string
  /** Its value, computed from other columns of the span table. */
  readonly expression: string
}

/** The ClickHouse type of a field's values. The items of a list are read from its text. */
export const COLUMN_TYPES = {
  string: 'String',
  int: 'Nullable(Int64)',
  double: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  'string[]': 'String',
  JSON: 'String',
} as const satisfies Record<AnyField['type'], string>

/** A computed column as the table declares it. */
export interface TableColumn extends Pick<StoredColumn, 'name' | 'type' | 'expression'> {
  readonly kind: 'MATERIALIZED' | 'ALIAS'
}

/** The columns of fields with `stored`, in the order of the field tables; at most one per attribute. */
export const STORED_COLUMNS: readonly StoredColumn[] = storedColumns()

function storedColumns(): StoredColumn[] {
  const columns = new Map<string, StoredColumn>()
  for (const table of Object.values(FIELD_TABLES)) {
    for (const field of Object.values<AnyField>(table)) {
      const { key, stored: name } = field
      if (name !== undefined && !columns.has(key)) columns.set(key, computedColumn(name, field))
    }
  }
  return [...columns.values()]
}

/** The column that ClickHouse computes from the attribute of a field. */
export function computedColumn(name: string, field: AnyField): StoredColumn {
  const { key, brief, type, fewValues } = field
  return {
    name,
    key,
    brief,
    type: fewValues ? `LowCardinality(${COLUMN_TYPES[type]})` : COLUMN_TYPES[type],
    expression: valueSql(type, `SpanAttributes['${key}']`),
  }
}

/** The id of the span that a row describes; for a snapshot the span that it shows. */
export const ROW_SPAN = `if(SpanState = '${PENDING}' AND PendingSpanId != '', PendingSpanId, SpanId)`

/** All columns that ClickHouse computes in the span table. */
export const COMPUTED_COLUMNS: readonly TableColumn[] = [
  ...STORED_COLUMNS.map((column) => ({ ...column, kind: 'MATERIALIZED' as const })),
  // The row with the highest value counts: the ended span, else the latest snapshot.
  {
    name: 'Recency',
    type: 'UInt64',
    kind: 'MATERIALIZED',
    expression:
      `bitShiftLeft(toUInt64(SpanState != '${PENDING}'), 32) + ` +
      `accurateCastOrDefault(ifNull(toInt64OrNull(SpanAttributes['${ATTR.snapshotSeq}']), 0), 'UInt32')`,
  },
  { name: 'Span', type: 'String', kind: 'ALIAS', expression: ROW_SPAN },
  {
    name: 'Parent',
    type: 'String',
    kind: 'ALIAS',
    expression: `if(SpanState = '${PENDING}', PendingParentSpanId, ParentSpanId)`,
  },
]

/** The columns that the sorting key and the engine of the span table need. */
export const KEY_COLUMNS = COMPUTED_COLUMNS.filter(({ name }) =>
  ['SpanState', 'PendingSpanId', 'Recency'].includes(name),
)

/** The computed columns of a table, by attribute. */
export type ColumnOf = ReadonlyMap<string, StoredColumn>

export const COLUMN_OF: ColumnOf = new Map(STORED_COLUMNS.map((column) => [column.key, column]))

/** Returns SQL for an attribute of `span` whose column in the table is text. */
export const attributeText = (key: string): string => `span.${COLUMN_OF.get(key)?.name ?? `SpanAttributes['${key}']`}`

/** Returns SQL for the value of an attribute, which is text. A text of another type becomes NULL, as does NaN. */
export function valueSql(type: AnyField['type'], text: string): string {
  switch (type) {
    case 'int':
      return `toInt64OrNull(${text})`
    case 'double':
      return `if(isFinite(toFloat64OrNull(${text})), toFloat64OrNull(${text}), NULL)`
    case 'boolean':
      return `multiIf(${text} = 'true', true, ${text} = 'false', false, NULL)`
    case 'string':
    case 'string[]':
    case 'JSON':
      return text
  }
}
