import type { Redactor } from './redactor.js'

const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{1,40})$/i

/**
 * Whether a list's item is the secret value of the name before it: of a flag (`["--api-key", …]`), a header (`["Host",
 * "h", "Authorization", …]`) or a pair (`["password", …]`). Items that are not text are passed as undefined.
 */
export function followsSecretName(items: readonly (string | undefined)[], index: number, redactor: Redactor): boolean {
  const name = items[index - 1]
  if (name === undefined || items[index] === undefined || !redactor.isSecretKey(name)) return false
  return /^--?[\w-]+$/.test(name) || HEADER.test(name) || (items.length === 2 && index === 1 && /^\S{1,64}$/.test(name))
}
