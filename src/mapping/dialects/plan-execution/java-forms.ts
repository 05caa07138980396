import { type Form, timeTextOf } from '../../record-object/index.js'
import { jsonArray, jsonNumber } from '../../json/index.js'

/** A double as Java writes it from 0.001 to 10^7: with at least one fraction digit. */
export const javaDoubleForm: Form<number> = {
  read: (node) => (node.kind === 'number' && Number.isFinite(Number(node.text)) ? Number(node.text) : undefined),
  write: (value) => jsonNumber(Number.isInteger(value) ? value.toFixed(1) : String(value)),
}

/**
 * A local date-time as Jackson's array `[year, month, day, hour, minute(, second(, nanosecond))]`, kept as ISO 8601.
 */
export const arrayTimeForm: Form<string> = {
  read: timeTextOf,
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
