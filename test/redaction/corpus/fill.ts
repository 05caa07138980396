const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const LETTERS = LOWER + LOWER.toUpperCase()

/** The character sets that templates name. */
const ALPHABETS: Readonly<Record<string, string>> = {
  x: `${DIGITS}abcdef`,
  d: DIGITS,
  u: LOWER.toUpperCase() + DIGITS,
  l: LOWER + DIGITS,
  m: LETTERS + DIGITS,
  w: `${LETTERS}${DIGITS}_-`,
  b: `${LETTERS}${DIGITS}+/`,
  k: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
}

export type Chance = () => number

/** A pseudorandom generator with reproducible results. */
export function chance(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Fills a template: `<x32>` becomes 32 characters of the set x, `<luhn>` the check digit of the digits before it. */
export const fill = (template: string, next: Chance): string =>
  template
    .replace(/<([a-z])(\d+)>/g, (_, set: string, count: string) => {
      const alphabet = ALPHABETS[set] ?? ''
      return Array.from({ length: Number(count) }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
    })
    .replace(/([\d -]+)<luhn(\+?)>/g, (_, digits: string, wrong: string) => {
      const check = checkDigit(digits.replace(/\D/g, ''))
      return `${digits}${wrong === '' ? check : (check + 1) % 10}`
    })

function checkDigit(digits: string): number {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce(
      (sum, digit, at) => sum + (at % 2 === 1 ? digit : Array.from(String(digit * 2), Number).reduce((a, b) => a + b)),
      0,
    )
  return (10 - (sum % 10)) % 10
}
