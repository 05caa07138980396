import { type AnyField, ATTR } from '../../semconv/index.js'
import { attributeText, attributeTold, attributeValue } from '../stored-columns.js'

/** A column of a view, as ClickHouse's DESCRIBE explains it. */
export interface ViewColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
}

/** A column that is a field of a span, and how it is read from the span's attributes. */
export interface FieldColumn extends ViewColumn {
  /** The attribute. */
  readonly key: string
  readonly expression: string
  /** Whether the span has a value. */
  readonly told: string
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
 * A field → its column; undefined for one that the head of the view has, and for one whose attribute another field of
 * its table gives in a form for people.
 */
export function fieldColumn(fieldName: string, field: AnyField): FieldColumn | undefined {
  if (field.column === false || field.messages === 'items') return undefined
  const name = field.column ?? pascalCase(fieldName)
  const comment = `${field.brief} [${field.key}]`
  const column = { name, type: TYPES[field.type], comment, key: field.key }
  return field.key === ATTR.errorMessage
    ? { ...column, expression: ERROR_MESSAGE, told: `${ERROR_MESSAGE} != ''` }
    : { ...column, expression: read(field), told: attributeTold(field.key) }
}

/** The error message of a span, else the text of its status. */
const ERROR_MESSAGE = `if(${attributeText(ATTR.errorMessage)} != '' OR span.StatusCode != 'Error', ${attributeText(ATTR.errorMessage)}, span.StatusMessage)`

function read(field: AnyField): string {
  if (field.messages !== undefined) return messagesText(attributeText(field.key))
  const value = attributeValue(field)
  return field.type === 'string[]' ? `JSONExtract(${value}, 'Array(String)')` : value
}

const MESSAGES = 'Array(Tuple(parts Array(Tuple(type String, content String))))'

/** The texts of chat messages, a line each; in words that inserts from other servers understand, too. */
export const messagesText = (text: string): string =>
  `arrayStringConcat(arrayMap(part -> tupleElement(part, 'content'), arrayFilter(part -> tupleElement(part, 'type') = 'text', ` +
  `arrayFlatten(tupleElement(JSONExtract(${text}, '${MESSAGES}'), 'parts')))), '\\n')`

/** `inputTokens` → `InputTokens`. */
const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
