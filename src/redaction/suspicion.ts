import { WORDS } from './secret-names.js'
import { hasToken } from './tokens.js'

/** Calls `accept` with the end of each occurrence of a word, in order and in any case, until it returns true. */
type WordSearch = (text: string, accept: (end: number) => boolean) => boolean

const CHARACTERS = 0x1_0000

/** Searches for many words at once, given in lower case, reading each character once: the Aho-Corasick automaton. */
export function wordSearch(words: readonly string[]): WordSearch {
  const characters = [...new Set(words.join(''))]
  const classes = classesOf(characters)
  const rows = automaton(words, classes, characters.length + 1)
  return (text, accept) => {
    let row = 0
    for (let at = 0; at < text.length; at++) {
      row = rows[row + (classes[text.charCodeAt(at)] as number)] as number
      if (row >= 0) continue
      row = ~row
      if (accept(at + 1)) return true
    }
    return false
  }
}

/** A small number for each of the characters, the same for both cases of a letter; 0 for all others. */
function classesOf(characters: readonly string[]): Uint8Array {
  const classes = new Uint8Array(CHARACTERS)
  for (const [at, character] of characters.entries()) {
    classes[character.charCodeAt(0)] = at + 1
    if (/[a-z]/.test(character)) classes[character.toUpperCase().charCodeAt(0)] = at + 1
  }
  return classes
}

/**
 * The automaton's states as rows: for each character class, the start of the next state's row, or its complement at the
 * end of a word. The first row is the initial state.
 */
function automaton(words: readonly string[], classes: Uint8Array, width: number): Int32Array {
  const edges = words.map((word) => Array.from({ length: word.length }, (_, at) => classes[word.charCodeAt(at)] ?? 0))
  const rows = new Int32Array(width * (1 + edges.flat().length))
  const ends = new Set<number>()
  let free = width
  for (const path of edges) {
    let row = 0
    for (const edge of path) {
      if (rows[row + edge] === 0) rows[row + edge] = (free += width) - width
      row = rows[row + edge] ?? 0
    }
    ends.add(row)
  }
  // If a word does not continue, its longest suffix that begins a word does. Nearer states come first.
  const endings = new Map([[0, 0]])
  for (const [row, ending] of endings) {
    if (ends.has(ending)) ends.add(row)
    for (let edge = 0; edge < width; edge++) {
      const next = rows[row + edge] ?? 0
      const other = row === 0 ? 0 : (rows[ending + edge] ?? 0)
      if (next === 0) rows[row + edge] = other
      else endings.set(next, other)
    }
  }
  return rows.map((row) => (ends.has(row) ? ~row : row))
}

// In lower case, which is faster than a pattern that ignores case
const SIGNS = new RegExp(
  String.raw`${WORDS}|pwd|pass(?!e|i|a|port|\s[a-z])|token(?!s)|auth(?!or(?!iz)|enti)|jwt|ssn|cv[vc]|pin(?![a-z])|otp(?![a-z])|csrf|xsrf|curl|https? -|xhs? -|mysql|mariadb|sshpass|(?:docker|podman|registry|oc|az|nerdctl|skopeo) login|mongo|(?:redis|valkey)-cli|ldap|zip -|7z[azr]? |identified\s+by|[?&](?:sig|x-|key|code)|\\u00|private key|bearer|webhook|hooks\.slack`,
)
const USER_IN_URL = /[^\s/]{0,400}@/y

/** Each sign contains one of these hints, so only the text around a hint is compared with the signs. */
const HINTS = String.raw`pass|secret|credential|auth|cookie|key|token|social|card|pin|pwd|jwt|ssn|cvv|cvc|otp|csrf|xsrf|kennwort|contrase|senha|密码|口令|密钥|パスワード|curl|http -|https -|xh -|xhs -|mysql|mariadb|login|mongo|-cli|ldap|zip -|7z|identified|?sig|&sig|?x-|&x-|?code|&code|\u00|bearer|webhook|hooks.slack|://`
const eachHint = wordSearch(HINTS.split('|'))

/** The largest number of characters of a sign before and after the end of its hint. */
const BEFORE = 20
const AFTER = 20

/** Whether the built-in patterns could match a text. Most texts need no further search. */
export function isSuspicious(text: string): boolean {
  return eachHint(text, (end) => hasSign(text, end)) || hasToken(text)
}

function hasSign(text: string, end: number): boolean {
  if (text.endsWith('://', end)) {
    USER_IN_URL.lastIndex = end
    return USER_IN_URL.test(text)
  }
  return SIGNS.test(text.slice(Math.max(0, end - BEFORE), end + AFTER).toLowerCase())
}
