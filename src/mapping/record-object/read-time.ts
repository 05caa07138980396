import { eventFields, everySpanFields, exceptionFields, planFields, thinkActFields } from '../../semconv/index.js'
import { itemsOf, type JsonNode } from '../json/index.js'

/** The attributes that contain a time as its record writes it. */
const TIME_KEYS: ReadonlySet<string> = new Set(
  [
    everySpanFields.startTime,
    everySpanFields.endTime,
    thinkActFields.thinkStartTime,
    thinkActFields.thinkEndTime,
    thinkActFields.actStartTime,
    thinkActFields.actEndTime,
    thinkActFields.timestamp,
    exceptionFields.timestamp,
    eventFields.timestamp,
    planFields.writtenAt,
  ].map(({ key }) => key),
)

/** Whether an attribute contains a time as its record writes it. */
export const isTimeKey = (key: string): boolean => TIME_KEYS.has(key)

/**
 * Returns the text of a time in any form that a system writes, in every era: a text, a number, or Jackson's array
 * `[year, month, day, hour, minute(, second(, nanosecond))]`, which becomes ISO 8601. Undefined for other JSON.
 */
export function timeTextOf(node: JsonNode): string | undefined {
  if (node.kind === 'string') return node.value
  if (node.kind === 'number') return node.text
  return node.kind === 'array' ? isoOfArray(node) : undefined
}

function isoOfArray(node: JsonNode): string | undefined {
  const items = itemsOf(node)
  const parts = items.flatMap((item) => (item.kind === 'number' ? [item.text] : []))
  if (parts.length < 5 || parts.length > 7 || parts.length !== items.length) return undefined
  if (!parts.every((part) => /^(0|[1-9]\d*)$/.test(part)) || parts[6] === '0') return undefined
  const [year = '', month = '', day = '', hour = '', minute = '', second, nano] = parts
  const date = `${year.padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
  const seconds = second === undefined ? '' : `:${two(second)}`
  return `${date}${seconds}${nano === undefined ? '' : `.${nano.padStart(9, '0').replace(/0+$/, '')}`}`
}

const two = (digits: string): string => digits.padStart(2, '0')
