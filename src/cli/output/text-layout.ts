import { stripVTControlCharacters } from 'node:util'

/** Puts untrusted text on one line, without control characters, cut to a length in characters. */
export const oneLine = (text: string, length = Number.POSITIVE_INFINITY): string =>
  cut(text.replaceAll(/[\s\u0000-\u001F\u007F-\u009F]+/g, ' ').trim(), length)

/** Cuts text to a length in characters, with an ellipsis if it was longer. */
export function cut(text: string, length: number): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}

/** `1 record`, `2 records`. */
export const plural = (count: number, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Formats milliseconds for people: `0.4 ms`, `250 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 1000) return `${String(Math.round(milliseconds))} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  const index = UNITS.findIndex(([, length]) => milliseconds >= length)
  const [[unit, length] = ['d', 86_400_000], [smallUnit, smallLength] = ['s', 1000]] = UNITS.slice(index, index + 2)
  const small = Math.floor((milliseconds % length) / smallLength)
  return `${String(Math.floor(milliseconds / length))} ${unit}${small > 0 ? ` ${String(small)} ${smallUnit}` : ''}`
}

const BYTES = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Formats bytes for people: `512 bytes`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${BYTES[power] ?? ''}`
}

const NO_COLUMN = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const TWO_COLUMNS =
  /^[\p{Emoji_Presentation}\u1100-\u115F\u2E80-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]$/u

const columnsOf = (character: string): number => (NO_COLUMN.test(character) ? 0 : TWO_COLUMNS.test(character) ? 2 : 1)

/** The width of text on a terminal, in columns, without colors. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of stripVTControlCharacters(text)) width += columnsOf(character)
  return width
}

/** Cuts text to a width in columns, with an ellipsis if it was wider. The text must have no colors. */
export function cutToWidth(text: string, width: number): string {
  let columns = 0
  let at = 0
  /** The position of the ellipsis. */
  let end = 0
  for (const character of text) {
    columns += columnsOf(character)
    if (columns > width) return `${text.slice(0, end)}…`
    at += character.length
    if (columns < width) end = at
  }
  return text
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Splits untrusted text into lines without control characters. */
export const linesOf = (text: string): string[] => text.split(LINE_BREAK).map((line) => oneLine(line))

/** Aligns the columns of rows, with two spaces between them. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell))
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)))
      .join('  ')
      .trimEnd(),
  )
}

const MIN_WRAP = 20

/** Wraps text between words to a width in columns; a longer word gets a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= Math.max(MIN_WRAP, width)) {
      lines[lines.length - 1] = `${line} ${word}`
    } else lines.push(word)
  }
  return lines
}
