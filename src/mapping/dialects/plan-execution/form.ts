import type { FieldValue } from '../../codec.js'
import { itemsOf, jsonArray, jsonLiteral, jsonNumber, jsonString, type JsonNode } from '../../json/node.js'
import { tryParseJson } from '../../json/parse.js'
import { bare, compactJson } from '../../json/write.js'

/** A record's JSON value ⇄ a field's value. `read` answers undefined for JSON that the form does not have. */
export interface Form {
  read(node: JsonNode): FieldValue | undefined
  write(value: FieldValue): JsonNode | undefined
}

export const textForm: Form = {
  read: (node) => (node.kind === 'string' ? node.value : undefined),
  write: (value) => (typeof value === 'string' ? jsonString(value) : undefined),
}

/** A 64-bit number whose digits are kept as text. */
export const numberIdForm: Form = {
  read: (node) => (node.kind === 'number' ? node.text : undefined),
  write: (value) => (typeof value === 'string' ? jsonNumber(value) : undefined),
}

export const intForm: Form = {
  read: (node) => (node.kind === 'number' && /^-?\d+$/.test(node.text) ? Number(node.text) : undefined),
  write: (value) => (typeof value === 'number' ? jsonNumber(String(value)) : undefined),
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

/** A local date-time written as ISO 8601. */
export const isoTimeForm: Form = textForm

/** A local date-time as Jackson's array `[year, month, day, hour, minute(, second(, nanosecond))]`, kept as ISO 8601. */
export const arrayTimeForm: Form = {
  read: (node) => {
    const parts = itemsOf(node).flatMap((item) => (item.kind === 'number' ? [item.text] : []))
    if (parts.length < 5 || parts.length > 7 || parts.length !== itemsOf(node).length) return undefined
    if (!parts.every((part) => /^(0|[1-9]\d*)$/.test(part)) || parts[6] === '0') return undefined
    const [year = '', month = '', day = '', hour = '', minute = '', second, nano] = parts
    const date = `${year.padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
    const seconds = second === undefined ? '' : `:${two(second)}`
    return `${date}${seconds}${nano === undefined ? '' : `.${nano.padStart(9, '0').replace(/0+$/, '')}`}`
  },
  write: (value) => {
    const match = typeof value === 'string' ? TIME.exec(value) : null
    if (!match) return undefined
    const [, ...parts] = match
    const fraction = parts.pop()
    const numbers = parts.flatMap((part) => (part === undefined ? [] : [String(Number(part))]))
    if (fraction !== undefined) numbers.push(String(Number(fraction.padEnd(9, '0'))))
    return jsonArray(numbers.map(jsonNumber))
  },
}

const TIME = /^(\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?Z?$/

const two = (digits: string): string => digits.padStart(2, '0')
