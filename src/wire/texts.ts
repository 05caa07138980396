import { z } from 'zod'

/** A time. */
export const time = z.string().describe('ISO 8601 in UTC, up to nanoseconds.')

const MAX_TEXT = 500

/** The beginning of a text of any length. */
export const beginning = z.string().describe('At most 500 characters; a text that ends with … continues in the span.')

/** Returns the beginning of a text, with … in place of the rest; null without a text. */
export function cutText(text: string | undefined, most = MAX_TEXT): string | null {
  if (text === undefined) return null
  const characters = Array.from(text.slice(0, most * 2 + 2))
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}
