import { isData, isList } from '../../../semconv/index.js'
import { dataIn } from './json-data.js'

/** The keys of messages and their parts that come first; the others follow in the order of the alphabet. */
const FIRST = ['role', 'type', 'id', 'name']

/**
 * Writes messages as JSON with sorted keys. The same messages have another order of keys as an attribute of a span,
 * which is text, than as an attribute of a log record, which is a map.
 */
export const sortedJson = (value: unknown): string => JSON.stringify(sorted(value))

/** The last text that was sorted: the calls of an agent have the same tools. */
let last = { text: '', sorted: '' }

/** Sorts the keys of JSON text. Any other text stays as it is. */
export function sortedText(text: string): string {
  if (last.text !== text) {
    const data = dataIn(text)
    last = { text, sorted: data === undefined ? text : sortedJson(data) }
  }
  return last.sorted
}

function sorted(value: unknown): unknown {
  if (isList(value)) return value.map(sorted)
  if (!isData(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort(byPlace)
      .map((key) => [key, sorted(value[key])]),
  )
}

const byPlace = (a: string, b: string): number => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)
const placeOf = (key: string): number => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length)
