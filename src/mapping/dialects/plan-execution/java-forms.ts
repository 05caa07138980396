import type { Form } from '../../record-object/index.js'
import { itemsOf, jsonArray, jsonNumber } from '../../json/index.js'

/** A double as Java writes it from 0.001 to 10^7: with at least one fraction digit. */
export const javaDoubleForm: Form<number> = {
  read: (node) => (node.kind === 'number' && Number.isFinite(Number(node.text)) ? Number(node.text) : undefined),
  write: (value) => jsonNumber(Number.isInteger(value) ? value.toFixed(1) : String(value)),
}

/**
 * A local date-time as Jackson's array `[year, month, day, hour, minute(, second(, nanosecond))]`, kept as ISO 8601.
 */
export const arrayTimeForm: Form<string> = {
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
    const match = TIME.exec(value)
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
