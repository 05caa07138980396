import { CARD_SHAPE, isCardNumber } from './card-number.js'
import { MARKER } from './rule.js'
import { VENDOR_TOKENS } from './vendor-tokens.js'

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
