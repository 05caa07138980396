/** Untrusted text on one line, without control characters, cut to a length in characters. */
export const oneLine = (text: string, length = Number.POSITIVE_INFINITY): string =>
  cut(text.replaceAll(/[\s\u0000-\u001F\u007F-\u009F]+/g, ' ').trim(), length)

/** Text cut to a length in characters, with an ellipsis where it was longer. */
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

/** Milliseconds for people: `0.4 ms`, `250 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 1000) return `${String(Math.round(milliseconds))} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  const index = UNITS.findIndex(([, length]) => milliseconds >= length)
  const [[unit, length] = ['d', 86_400_000], [smallUnit, smallLength] = ['s', 1000]] = UNITS.slice(index, index + 2)
  const small = Math.floor((milliseconds % length) / smallLength)
  return `${String(Math.floor(milliseconds / length))} ${unit}${small > 0 ? ` ${String(small)} ${smallUnit}` : ''}`
}

/** Rows with their columns aligned, two spaces between them. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, [...cell].length)
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  )
}

const MIN_WRAP = 20

/** Text wrapped between words to a width in columns; a longer word gets a line of its own. */
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
