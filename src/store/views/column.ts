import type { AnyField } from '../../semconv/index.js'
import { COLUMN_TYPES, type ColumnOf, type StoredColumn, valueSql } from '../schema/stored-columns.js'

/** A column of a view, as ClickHouse's DESCRIBE explains it. */
export interface ViewColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
  /** Its value, from the columns of `span` and with the names of `SHORTHANDS`. */
  readonly expression: string
}

/**
 * Returns the column of a field; undefined for a field that is a column of every view, and for a field whose attribute
 * another field of its table shows as text.
 */
export function fieldColumn(fieldName: string, field: AnyField, columns: ColumnOf): ViewColumn | undefined {
  if (field.column === false || field.messages === 'items') return undefined
  const name = field.column ?? pascalCase(fieldName)
  const stored = columns.get(field.key)
  const isWord = field.messages === undefined && stored?.type === 'LowCardinality(String)'
  const type = isWord ? stored.type : field.type === 'string[]' ? 'Array(String)' : COLUMN_TYPES[field.type]
  return { name, type, comment: `${field.brief} [${field.key}]`, expression: valueOf(field, stored) }
}

/** The value of a field: a column that has it, or what a function reads from the text of its attribute. */
function valueOf({ key, type, messages }: AnyField, stored: StoredColumn | undefined): string {
  const text = stored ? `span.${stored.name}` : `a['${key}']`
  if (messages !== undefined) return `messages(${text})`
  if (type === 'string[]') return `list(${text})`
  const read = stored ? undefined : READERS[type]
  return read === undefined ? text : `${read}(${text})`
}

/** The functions that read values of other types from a text. */
const READERS: Readonly<Partial<Record<AnyField['type'], string>>> = { int: 'int', double: 'number', boolean: 'flag' }

const MESSAGES = 'Array(Tuple(parts Array(Tuple(type String, content String))))'

/** Names that the expressions of columns use, each with its definition: the attributes of a span, and functions. */
const SHORTHANDS: Readonly<Record<string, string>> = {
  a: 'span.SpanAttributes',
  int: `text -> ${valueSql('int', 'text')}`,
  number: `text -> ${valueSql('double', 'text')}`,
  flag: `text -> ${valueSql('boolean', 'text')}`,
  list: `text -> JSONExtract(text, 'Array(String)')`,
  // The texts of chat messages, one per line, by functions that servers of all supported versions have.
  messages:
    `text -> arrayStringConcat(arrayMap(part -> part.2, arrayFilter(part -> part.1 = 'text', ` +
    `arrayFlatten(JSONExtract(text, '${MESSAGES}').1))), '\\n')`,
}

/** Returns the WITH clause for the shorthands that some columns use, with a line end; empty if they use none. */
export function withClause(columns: readonly ViewColumn[]): string {
  const used = Object.entries(SHORTHANDS).filter(([name]) =>
    columns.some(({ expression }) => new RegExp(`\\b${name}[(\\[]`).test(expression)),
  )
  if (used.length === 0) return ''
  return `WITH\n  ${used.map(([name, definition]) => `${definition} AS ${name}`).join(',\n  ')}\n`
}

/** `inputTokens` → `InputTokens`. */
const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
