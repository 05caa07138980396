/** Text on one line, cut to a length. */
export const oneLineOf = (text: string, length: number): string => cut(text.replaceAll(/\s+/g, ' ').trim(), length)

/** Text cut to a length, not within a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const start = text.slice(0, length - 1)
  return `${/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start}…`
}

/** How much of the detail of a row is shown, and of what both have in front of where they differ. */
const LENGTH = 400
const IN_FRONT = 80

/** The parts of two texts around the first place at which they differ; of equal ones their beginnings. */
export function tellingParts(one: string | undefined, other: string | undefined): [string | null, string | null] {
  if (one === undefined || other === undefined) return [beginning(one), beginning(other)]
  let at = 0
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  const isShort = one.length <= LENGTH && other.length <= LENGTH
  const from = isShort || one === other ? 0 : Math.max(0, at - IN_FRONT)
  return [partFrom(one, from), partFrom(other, from)]
}

const beginning = (text: string | undefined): string | null => (text === undefined ? null : partFrom(text, 0))

function partFrom(text: string, from: number): string {
  if (from === 0) return cut(text, LENGTH)
  const start = /^[\uDC00-\uDFFF]/.test(text.slice(from, from + 1)) ? from + 1 : from
  return `…${cut(text.slice(start), LENGTH - 1)}`
}
