import type { Redactor } from './redactor.js'

const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{1,40})$/i

/**
 * Whether the item of a list is the value of the name before it: of a flag, `["--api-key", …]`, of a header, `["Host",
 * "h", "Authorization", …]`, or of the name of a pair, `["password", …]`. Items that are no text are undefined.
 */
export function followsSecretName(items: readonly (string | undefined)[], index: number, redactor: Redactor): boolean {
  const name = items[index - 1]
  if (name === undefined || items[index] === undefined || !redactor.isSecretKey(name)) return false
  return /^--?[\w-]+$/.test(name) || HEADER.test(name) || (items.length === 2 && index === 1 && /^\S{1,64}$/.test(name))
}
