import type { FieldValue } from '../semconv/index.js'
import { jsonArray, jsonLiteral, jsonNumber, jsonString, type JsonNode } from './json/node.js'
import { tryParseJson } from './json/parse.js'
import { bare, compactJson } from './json/write.js'

/** A record's JSON value ⇄ a field's value. `read` answers undefined for JSON that the form does not have. */
export interface Form {
  read(node: JsonNode): FieldValue | undefined
  write(value: FieldValue): JsonNode | undefined
}

export const textForm: Form = {
  read: (node) => (node.kind === 'string' ? node.value : undefined),
  write: (value) => (typeof value === 'string' ? jsonString(value) : undefined),
}

/** A number whose digits are kept as text. */
export const numberIdForm: Form = {
  read: (node) => (node.kind === 'number' ? node.text : undefined),
  write: (value) => (typeof value === 'string' ? jsonNumber(value) : undefined),
}

export const intForm: Form = {
  read: (node) => (node.kind === 'number' && /^-?\d+$/.test(node.text) ? Number(node.text) : undefined),
  write: (value) => (typeof value === 'number' ? jsonNumber(String(value)) : undefined),
}

/** A float as Python writes it: `75.0`, `1e-05`, `1e+16`, `NaN`. */
export const pythonFloatForm: Form = {
  read: (node) => (node.kind === 'number' ? Number(node.text) : undefined),
  write: (value) => (typeof value === 'number' ? jsonNumber(pythonRepr(value)) : undefined),
}

/** Python leaves the plain writing from 1e16 on and below 1e-4, JavaScript from 1e21 on and below 1e-6. */
function pythonRepr(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    return value.toExponential().replace(/(?<=e[+-])(?=\d$)/, '0')
  }
  const plain = Object.is(value, -0) ? '-0' : String(value)
  return plain.includes('.') ? plain : `${plain}.0`
}

export const booleanForm: Form = {
  read: (node) => (node.kind === 'literal' && node.value !== null ? node.value : undefined),
  write: (value) => (typeof value === 'boolean' ? jsonLiteral(value) : undefined),
}

export const textListForm: Form = {
  read: (node) => {
    if (node.kind !== 'array') return undefined
    const texts = node.items.flatMap((item) => (item.kind === 'string' ? [item.value] : []))
    return texts.length === node.items.length ? texts : undefined
  },
  write: (value) => (Array.isArray(value) ? jsonArray(value.map(jsonString)) : undefined),
}

/** An object or array that no span stands for, as JSON text. */
export const jsonForm: Form = {
  read: (node) => (node.kind === 'object' || node.kind === 'array' ? compactJson(node) : undefined),
  write: (value) => {
    const node = typeof value === 'string' ? tryParseJson(value) : undefined
    return node && bare(node)
  },
}
