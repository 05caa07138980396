import { append } from '../base/append.js'
import { kubernetesData } from './kubernetes-secret.js'
import { namedSecret, nameAround, type Range } from './named-secret.js'
import { PLACES } from './places.js'
import { NAME_WORDS } from './secret-names.js'
import { MARKER } from './secret-values.js'
import { eachEncoded } from './encoded-text.js'
import { eachLongWord, inWord } from './tokens.js'
import { wordSearch } from './word-search.js'

/** A word that a search finds, and the kind of secret that it announces. */
type Sign = { readonly word: string } & (
  | { readonly name: 'part' | 'end' }
  | { readonly pattern: RegExp }
  | { readonly ranges: (text: string) => readonly Range[] }
)

const SIGNS: readonly Sign[] = [
  ...Object.entries(NAME_WORDS).map(([word, name]) => ({ word, name })),
  ...['', '"', "'"].map((quote) => ({ word: `kind: ${quote}secret`, ranges: kubernetesData })),
  ...PLACES.flatMap(({ words, pattern }) => words.map((word) => ({ word, pattern }))),
]
const eachSign = wordSearch(SIGNS.map(({ word }) => word))
const hasEscape = (text: string): boolean => text.includes(String.raw`\u00`)

/** Whether a text names or contains something that may be a secret; JSON without such a sign needs no parsing. */
export function isSuspicious(text: string): boolean {
  const isSign = (index: number, end: number): boolean => {
    const sign = SIGNS[index] as Sign
    const from = end - sign.word.length
    if ('ranges' in sign) return sign.ranges(text).length > 0
    if ('pattern' in sign) return placeAt(text, from, sign.pattern) !== undefined
    return isWhole(text, from, end, sign.name) && nameAround(text, from, end) !== undefined
  }
  return hasEscape(text) || eachSign(text, isSign) || eachLongSecret(text, () => true)
}

/** Finds the secrets of a text: ascending, without overlaps. */
export function findSecrets(text: string): readonly Range[] {
  const found: Range[] = []
  let readTo = 0
  let hasData = false
  const repeated = new Set<string>()
  eachSign(text, (index, end) => {
    const sign = SIGNS[index] as Sign
    const from = end - sign.word.length
    if (from < readTo) return false
    if ('name' in sign) {
      if (!isWhole(text, from, end, sign.name)) return false
      const name = nameAround(text, from, end)
      if (!name) return false
      const secret = namedSecret(text, name)
      if (secret) {
        addRepeats(text, secret, repeated, found)
        found.push(secret)
      }
      readTo = Math.max(name.to, secret?.[1] ?? 0)
    } else if ('ranges' in sign) {
      if (!hasData) append(found, sign.ranges(text))
      hasData = true
    } else {
      const secret = placeAt(text, from, sign.pattern)
      if (secret) readTo = found[found.push(secret) - 1]?.[1] ?? readTo
    }
    return false
  })
  eachLongSecret(text, (from, to) => {
    found.push([from, to])
    return false
  })
  return found.length === 0 ? found : joined(found)
}

/** Calls `accept` with each token, card number and encoded text with a secret until it returns true. */
function eachLongSecret(text: string, accept: (from: number, to: number) => boolean): boolean {
  const isSecret = (from: number, to: number, decoded: string): boolean =>
    findSecrets(decoded).length > 0 && accept(from, to)
  return eachLongWord(text, (from, to) => inWord(text, from, to, accept) || eachEncoded(text, from, to, isSecret))
}

/** Whether a word ends where its name's word ends: `token`, `tokenValue`, `TOKEN_1`, but not `tokenize`. */
function isWhole(text: string, from: number, end: number, kind: 'part' | 'end'): boolean {
  if (kind === 'part') return true
  const next = text.charCodeAt(end)
  const isLower = next >= 97 && next <= 122
  const isUpper = next >= 65 && next <= 90
  if (!isLower && !isUpper) return true
  const last = text.charCodeAt(end - 1)
  return isUpper && last >= 97 && last <= 122 && from >= 0
}

function placeAt(text: string, from: number, pattern: RegExp): Range | undefined {
  pattern.lastIndex = from
  const match = pattern.exec(text)
  return match ? [from + (match[1] ?? '').length, pattern.lastIndex] : undefined
}

/** The most secrets whose other places are searched for, and the most places of each. */
const MOST_REPEATS = 20
/** What can't be anything else than the secret: a word of some length with digits or in mixed case. */
const REPEATED = /^(?=\S*(?:\d|[a-z][A-Z]))\S{8,512}$/

/** Adds the other places of a secret. */
function addRepeats(text: string, [from, to]: Range, known: Set<string>, found: Range[]): void {
  const value = text.slice(from, to).trim()
  if (known.size >= MOST_REPEATS || known.has(value) || !REPEATED.test(value)) return
  known.add(value)
  let at = text.indexOf(value)
  for (let count = 0; at >= 0 && count < MOST_REPEATS; count++) {
    if (at < from || at >= to) found.push([at, at + value.length])
    at = text.indexOf(value, at + value.length)
  }
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted(([a], [b]) => a - b)
  const all: [number, number][] = []
  for (const [from, to] of sorted) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}

const MOST_PASSES = 4

/** Replaces the secrets of a text by the marker, until none is left: a masked value may hide the place of another. */
export function maskSecrets(text: string): string {
  let masked = text
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const secrets = findSecrets(masked)
    if (secrets.length === 0) break
    masked = withMarkers(masked, secrets)
  }
  return masked
}

function withMarkers(text: string, secrets: readonly Range[]): string {
  let masked = ''
  let at = 0
  for (const [from, to] of secrets) {
    masked += text.slice(at, from) + MARKER
    at = to
  }
  return masked + text.slice(at)
}
