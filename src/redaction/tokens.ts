import { VENDOR_TOKENS } from './vendor-tokens.js'

/** Matches candidates for card numbers: digits without gaps, or grouped as on the card. */
const CARD_SHAPE = String.raw`[2-6]\d{3}(?:\d{10,15}|([ -])(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{4,5}))`

// Visa, Mastercard, American Express, Discover, JCB, Diners Club, UnionPay
const ISSUED =
  /^(?:4\d{15}|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}|(?:6011|65\d{2}|64[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14,17})$/

/** Whether the text is a card number: an issuer's prefix and length, with a valid check digit. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '')
  return ISSUED.test(digits) && hasCheckDigit(digits)
}

/** The Luhn algorithm: every second digit from the right counts twice. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    sum += at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

/** The formats that can start with a character, as one pattern per character: most words are compared with few. */
const BY_FIRST: readonly (RegExp | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  const formats = [CARD_SHAPE, ...VENDOR_TOKENS.map(([, pattern]) => pattern)].filter((pattern) =>
    startsWith(pattern, character),
  )
  return formats.length === 0 ? undefined : new RegExp(`(?:${formats.join('|')})(?![A-Za-z0-9])`, 'y')
})

/** Whether a pattern's matches can start with a character. Patterns start with a character, a class or a group. */
function startsWith(pattern: string, character: string): boolean {
  const group = /^\(\?:([^()]*(?:\([^()]*\)[^()]*)*)\)/.exec(pattern)?.[1]
  if (group !== undefined) return group.split(/\|(?![^(]*\))/).some((option) => startsWith(option, character))
  const first = /^(?:\\.|\[[^\]]*\]|[^\\[(])/.exec(pattern)?.[0]
  return first !== undefined && new RegExp(`^${first}$`).test(character)
}

const DIGITS = /^[\d -]+$/
const SHORTEST = 14

type Accept = (from: number, to: number) => boolean

/** Calls `accept` with each long word until it returns true. */
export function eachLongWord(text: string, accept: Accept): boolean {
  for (let at = SHORTEST - 1; at < text.length; at += SHORTEST) {
    if (!isInWord(text, at)) continue
    let start = at
    while (start > 0 && isInWord(text, start - 1)) start--
    while (at < text.length && isInWord(text, at)) at++
    if (at - start >= SHORTEST && accept(start, at)) return true
  }
  return false
}

/** Calls `accept` with each token in a long word until it returns true. */
export function inWord(text: string, start: number, end: number, accept: Accept): boolean {
  for (let at = start; at <= end - SHORTEST; at++) {
    if (!isBoundary(text, at)) continue
    const pattern = BY_FIRST[text.charCodeAt(at)]
    if (!pattern) continue
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0]
    if (match === undefined || (DIGITS.test(match) && !isCardNumber(match))) continue
    if (accept(at, at + match.length)) return true
    at += match.length - 1
  }
  return false
}

const BACKSLASH = 92
const PERCENT = 37

/** Whether a token can start here: at the start of a word, behind an escaped line break or a percent encoding. */
function isBoundary(text: string, at: number): boolean {
  if (at === 0 || IN_TOKEN[text.charCodeAt(at - 1)] !== 1) return true
  return (
    text.charCodeAt(at - 3) === PERCENT || (text.charCodeAt(at - 2) === BACKSLASH && /[nrt]/.test(text.charAt(at - 1)))
  )
}

const IN_TOKEN = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-') {
  IN_TOKEN[character.charCodeAt(0)] = 1
}
const IN_WORD = new Uint8Array(128)
IN_WORD.set(IN_TOKEN)
for (const character of '.~+/=:$|%') IN_WORD[character.charCodeAt(0)] = 1

/** Whether a character belongs to a word; a card's groups of digits are one word. */
function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 ? isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1)) : IN_WORD[code] === 1
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
