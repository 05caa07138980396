import { type JsonNode, tryParseJson } from '../../mapping/json/index.js'
import { countDrop } from '../drops.js'
import { jsonText } from '../json-text.js'

/**
 * Runs a method of a recorder: what it throws, for example out of a getter it was given, is counted and goes no
 * further.
 */
export function recordSafely(what: string, record: () => void): void {
  try {
    record()
  } catch {
    countDrop('event', what)
  }
}

/** Plain data as JSON nodes; undefined where it has no JSON form. */
export function jsonNodeOf(value: unknown, what: string): JsonNode | undefined {
  const { text, dropped } = jsonText(value)
  if (text !== undefined && dropped > 0) countDrop('value', `parts of ${what}`, dropped)
  return text === undefined ? undefined : tryParseJson(text)
}
