import { type JsonNode, tryParseJson } from '../../mapping/json/index.js'
import { countDrop } from '../drops.js'
import { jsonText } from '../json-text.js'

/** Runs a method of a recorder; errors, for example from a getter of the input, are counted and not thrown. */
export function recordSafely(what: string, record: () => void): void {
  try {
    record()
  } catch {
    countDrop('event', what)
  }
}

/** Converts plain data to JSON nodes; undefined if it has no JSON form. */
export function jsonNodeOf(value: unknown, what: string): JsonNode | undefined {
  const { text, dropped } = jsonText(value)
  if (text !== undefined && dropped > 0) countDrop('value', `parts of ${what}`, dropped)
  return text === undefined ? undefined : tryParseJson(text)
}
