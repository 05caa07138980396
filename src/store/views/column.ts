import type { AnyField } from '../../semconv/index.js'
import { attributeText, attributeValue, type ColumnOf } from '../stored-columns.js'

/** A column of a view, as ClickHouse's DESCRIBE explains it. */
export interface ViewColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
  /** Its value, from the columns of `span`. */
  readonly expression: string
}

const TYPES = {
  string: 'String',
  int: 'Nullable(Int64)',
  double: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  'string[]': 'Array(String)',
  JSON: 'String',
} as const satisfies Record<AnyField['type'], string>

/**
 * Returns the column of a field; undefined for a field that is a column of every view, and for a field whose attribute
 * another field of its table shows as text.
 */
export function fieldColumn(fieldName: string, field: AnyField, columns: ColumnOf): ViewColumn | undefined {
  if (field.column === false || field.messages === 'items') return undefined
  const name = field.column ?? pascalCase(fieldName)
  const word = field.messages === undefined && columns.get(field.key)?.type === 'LowCardinality(String)'
  const type = word ? 'LowCardinality(String)' : TYPES[field.type]
  return { name, type, comment: `${field.brief} [${field.key}]`, expression: read(field, columns) }
}

function read(field: AnyField, columns: ColumnOf): string {
  if (field.messages !== undefined) return messagesText(attributeText(field.key, columns))
  const value = attributeValue(field, columns)
  return field.type === 'string[]' ? `JSONExtract(${value}, 'Array(String)')` : value
}

const MESSAGES = 'Array(Tuple(parts Array(Tuple(type String, content String))))'

/**
 * Returns the SQL for the texts of chat messages, one per line. It uses only functions that servers of all supported
 * versions understand.
 */
export const messagesText = (text: string): string =>
  `arrayStringConcat(arrayMap(part -> tupleElement(part, 'content'), arrayFilter(part -> tupleElement(part, 'type') = 'text', ` +
  `arrayFlatten(tupleElement(JSONExtract(${text}, '${MESSAGES}'), 'parts')))), '\\n')`

/** `inputTokens` → `InputTokens`. */
const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
