const MAX_CHARACTERS = 200

/** Returns the first line of a text without its full stop, cut to 200 characters. */
export function oneLine(text: string): string {
  const line = (/\S[^\r\n]*/.exec(text.slice(0, 4 * MAX_CHARACTERS))?.[0] ?? '').trim().replace(/\.$/, '')
  const characters = [...line]
  return characters.length <= MAX_CHARACTERS ? line : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}
