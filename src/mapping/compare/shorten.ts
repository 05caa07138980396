/** Returns a text on one line, truncated to a length. */
export const oneLineOf = (text: string, length: number): string => cut(text.replaceAll(/\s+/g, ' ').trim(), length)

/** Truncates a text without splitting a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const start = text.slice(0, length - 1)
  return `${/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start}…`
}

/** The length of the detail in a row, and of the common text before the first difference. */
const LENGTH = 400
const IN_FRONT = 80

/** Returns the parts of two texts around their first difference. For equal texts, their beginnings. */
export function differingParts(one: string | undefined, other: string | undefined): [string | null, string | null] {
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
