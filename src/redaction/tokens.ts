import { MARKER } from './secret-rules.js'
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

// At the start of a word, which may follow an escaped line break or a character in percent encoding, and to its end
const TOKENS = new RegExp(
  String.raw`(?<![\w-](?<!\\[nrt]|%[\dA-F]{2}))(?:${CARD_SHAPE}|${VENDOR_TOKENS.map(([, pattern]) => pattern).join('|')})(?![A-Za-z0-9])`,
  'g',
)
const DIGITS = /^[\d -]+$/
const SHORTEST = 14

/** Masks vendors' tokens and card numbers. */
export const maskTokens = (text: string): string =>
  hasToken(text) ? text.replace(TOKENS, (match) => (isSecret(match) ? MARKER : match)) : text

const isSecret = (match: string): boolean => !DIGITS.test(match) || isCardNumber(match)

/** Whether a text contains a token: only its long words are compared with all patterns. */
export function hasToken(text: string): boolean {
  for (let at = SHORTEST - 1; at < text.length; at += SHORTEST) {
    if (!isInWord(text, at)) continue
    let start = at
    while (start > 0 && isInWord(text, start - 1)) start--
    while (at < text.length && isInWord(text, at)) at++
    if (at - start < SHORTEST) continue
    if (isToken(text.slice(Math.max(0, start - 3), at))) return true
  }
  return false
}

function isToken(word: string): boolean {
  TOKENS.lastIndex = 0
  for (let match = TOKENS.exec(word); match; match = TOKENS.exec(word)) if (isSecret(match[0])) return true
  return false
}

const IN_WORD = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~+/=:$|%') {
  IN_WORD[character.charCodeAt(0)] = 1
}

/** Whether a character belongs to a word; a card's groups of digits are one word. */
function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 ? isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1)) : IN_WORD[code] === 1
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
