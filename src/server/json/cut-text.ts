import { z } from 'zod'

const MAX_TEXT = 500

/** The beginning of a text that may be long. */
export const beginning = z.string().describe('At most 500 characters; one that ends with … goes on in the span.')

/** The beginning of a text; null where there is none. */
export function cutText(text: string | undefined, most = MAX_TEXT): string | null {
  if (text === undefined) return null
  const characters = Array.from(text.slice(0, most * 2 + 2))
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}
