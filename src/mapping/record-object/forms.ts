import type { AttributeType, Field, FieldValue } from '../../semconv/index.js'
import {
  jsonArray,
  jsonLiteral,
  jsonNumber,
  jsonString,
  type JsonNode,
  tryParseJson,
  bare,
  compactJson,
} from '../json/index.js'

/** Converts a record's JSON value to a field's value and back. `read` returns undefined for JSON of another form. */
export interface Form<T extends FieldValue = FieldValue> {
  read(node: JsonNode): T | undefined
  write(value: T): JsonNode | undefined
}

export const textForm: Form<string> = {
  read: (node) => (node.kind === 'string' ? node.value : undefined),
  write: jsonString,
}

/** A number whose digits are kept as text. */
export const numberIdForm: Form<string> = {
  read: (node) => (node.kind === 'number' ? node.text : undefined),
  write: jsonNumber,
}

export const intForm: Form<number> = {
  read: (node) => (node.kind === 'number' && /^-?\d+$/.test(node.text) ? Number(node.text) : undefined),
  write: (value) => jsonNumber(String(value)),
}

/** An index that the record counts from 1 and the field from 0. */
export const fromOneForm: Form<number> = {
  read: (node) => {
    const count = intForm.read(node)
    return count === undefined ? undefined : count - 1
  },
  write: (value) => jsonNumber(String(value + 1)),
}

/** A float as Python writes it: `75.0`, `1e-05`, `1e+16`, `NaN`. */
export const pythonFloatForm: Form<number> = {
  read: (node) => (node.kind === 'number' ? Number(node.text) : undefined),
  write: (value) => jsonNumber(pythonRepr(value)),
}

/** Python uses an exponent from 1e16 and below 1e-4, JavaScript from 1e21 and below 1e-6. */
function pythonRepr(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    return value.toExponential().replace(/(?<=e[+-])(?=\d$)/, '0')
  }
  const plain = Object.is(value, -0) ? '-0' : String(value)
  return plain.includes('.') ? plain : `${plain}.0`
}

export const booleanForm: Form<boolean> = {
  read: (node) => (node.kind === 'literal' && node.value !== null ? node.value : undefined),
  write: jsonLiteral,
}

export const textListForm: Form<readonly string[]> = {
  read: (node) => {
    if (node.kind !== 'array') return undefined
    const texts = node.items.flatMap((item) => (item.kind === 'string' ? [item.value] : []))
    return texts.length === node.items.length ? texts : undefined
  },
  write: (value) => jsonArray(value.map(jsonString)),
}

/** An object or array without a span of its own, as JSON text. */
export const jsonForm: Form<string> = {
  read: (node) => (node.kind === 'object' || node.kind === 'array' ? compactJson(node) : undefined),
  write: (value) => {
    const node = tryParseJson(value)
    return node && bare(node)
  },
}

/** Any JSON except null, as text. */
export const valueForm: Form<string> = {
  read: (node) => (node.kind === 'literal' && node.value === null ? undefined : compactJson(node)),
  write: jsonForm.write,
}

const FORMS: Readonly<Record<AttributeType, Form>> = {
  string: textForm,
  int: intForm,
  double: pythonFloatForm,
  boolean: booleanForm,
  'string[]': textListForm,
  JSON: jsonForm,
}

/** Returns the default form of a field. Messages of the GenAI conventions contain a text. */
export const formOf = <T extends FieldValue>({ type, messages }: Field<T>): Form<T> =>
  (messages === 'text' ? textForm : FORMS[type]) as Form<T>
