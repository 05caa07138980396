import { z } from 'zod'

/** A name in which `*` stands for any text. */
const name = z.string().min(1)

/** One or several names. */
export const names = z
  .union([name, z.array(name).min(1)])
  .describe('A name, or a list of names. `*` stands for any text.')

/** A regular expression, in JavaScript's syntax with the flag `u`. */
export const pattern = z
  .string()
  .min(1)
  .refine(isPattern, 'is not a regular expression of JavaScript')
  .describe('A regular expression of JavaScript.')

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

export type Names = z.output<typeof names>

const known = new Map<string, RegExp>()

/** Whether a text matches one of the names. */
export const matchesName = (sought: Names, text: string): boolean =>
  sought === '*' || [sought].flat().some((each) => (each.includes('*') ? regExpOf(each).test(text) : each === text))

/** Returns the names as text for messages. */
export const nameText = (sought: Names): string => [sought].flat().join(' or ')

function regExpOf(sought: string): RegExp {
  const found = known.get(sought)
  if (found) return found
  const parts = sought.split(/\*+/).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  const made = new RegExp(`^${parts.join('[^]*')}$`, 'u')
  // Rules are few; the limit bounds the memory of a server that receives many.
  if (known.size >= 1_000) known.clear()
  known.set(sought, made)
  return made
}
