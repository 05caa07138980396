/** A text that contains the given one. */
class Containing {
  constructor(readonly text: string) {}
}

/** Any value: the story does not say. */
export const ANY = Symbol('any')

/** The result of a call that the record marks as not run. */
export const NOT_RUN = Symbol('not run')

/** One of two values: both are true of the story. */
class Either {
  constructor(readonly values: readonly unknown[]) {}
}

export const either = (...values: readonly unknown[]): unknown => new Either(values)

export const containing = (text: string): unknown => new Containing(text)

/** Whether a value of a record is the expected one. */
export function isRight(told: unknown, expected: unknown): boolean {
  if (expected === ANY) return true
  if (expected instanceof Either) return expected.values.some((value) => isRight(told, value))
  if (expected instanceof Containing) return typeof told === 'string' && told.includes(expected.text)
  if (isNothing(expected)) return isNothing(told)
  if (Array.isArray(expected))
    return (
      Array.isArray(told) && told.length === expected.length && expected.every((each, at) => isRight(told[at], each))
    )
  if (typeof expected === 'object' && typeof told === 'object' && told !== null) {
    const keys = new Set([...Object.keys(told), ...Object.keys(expected as object)])
    return [...keys].every((key) => isRight((told as Values)[key], (expected as Values)[key]))
  }
  return told === expected
}

/** Whether a value of a record says nothing that is untrue: parts of the expected value are missing. */
export function isLess(told: unknown, expected: unknown): boolean {
  if (isNothing(told) || isRight(told, expected)) return true
  if (typeof told === 'number' && typeof expected === 'number') return told < expected
  if (!Array.isArray(told) || !Array.isArray(expected)) return false
  let at = 0
  return told.every((each) => {
    while (at < expected.length && !isLess(each, expected[at])) at += 1
    return at++ < expected.length
  })
}

type Values = Readonly<Record<string, unknown>>

const isNothing = (value: unknown) => value === undefined || value === null || value === ''
