import type { JsonString } from './node.js'
import { unescapeJson } from './parse.js'
import type { JsonStyle } from './style.js'
import { escapeString } from './write.js'

/**
 * The characters of a string that are not written as the style writes them: the index in UTF-16 units, and the actual
 * text.
 */
export type StringDeviation = readonly (readonly [index: number, raw: string])[]

const REPLACEMENT = '\uFFFD'

/**
 * Returns how the raw text of `actual` deviates from the style's for `value`, the same text with U+FFFD for lone
 * surrogates. Empty without deviations.
 */
export function stringDeviation(value: string, actual: JsonString, style: JsonStyle): StringDeviation {
  if (actual.raw === undefined) return []
  if (value === actual.value && (isUsual(actual.raw, style) || escapeString(value, style) === actual.raw)) return []
  const units = writtenUnits(value, style)
  return [...(actual.raw.match(/\\u[0-9a-fA-F]{4}|\\.|[^]/g) ?? [])].flatMap((raw, index) =>
    raw === units[index] ? [] : [[index, raw] as const],
  )
}

/** Whether every style writes a text the same way, so that a long text need not be written only to be compared. */
const isUsual = (raw: string, { ascii }: JsonStyle): boolean =>
  !raw.includes('\\/') && !raw.includes('\\u') && !(ascii ? UNUSUAL_ASCII : UNUSUAL).test(raw)

const UNUSUAL = /[\u0000-\u001F\uD800-\uDFFF]/
const UNUSUAL_ASCII = /[\u0000-\u001F]|[^\u0000-\u007F]/

/** Writes a string with its deviations. Deviations that no longer fit the text are skipped. */
export function deviatingRaw(value: string, deviation: StringDeviation, style: JsonStyle): string {
  const units = writtenUnits(value, style)
  for (const [index, raw] of deviation) {
    const unit = value[index]
    if (unit !== undefined && (unit === REPLACEMENT || unescapeJson(raw) === unit)) units[index] = raw
  }
  return units.join('')
}

/** Writes each UTF-16 unit. The halves of a pair are written separately and join to the same text. */
function writtenUnits(value: string, style: JsonStyle): string[] {
  const units: string[] = []
  for (const character of value) {
    const written = escapeString(character, style)
    if (character.length === 1) units.push(written)
    else if (written.length === 2) units.push(written.charAt(0), written.charAt(1))
    else units.push(written.slice(0, 6), written.slice(6))
  }
  return units
}
