// Writes src/redaction/vendor-formats.ts from the rules of a gitleaks checkout, read as data: the prefixes, characters
// and lengths of tokens that vendor-tokens.ts lacks, and the vendors' names.
// npm run build && node scripts/vendor-formats.mjs GITLEAKS && npx oxfmt src/redaction/vendor-formats.ts
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { KNOWN_TOKENS } from '../dist/redaction/vendor-tokens.js'

const checkout = process.argv[2]
if (!checkout) throw new Error('usage: node scripts/vendor-formats.mjs GITLEAKS_CHECKOUT')
const config = readFileSync(join(checkout, 'config/gitleaks.toml'), 'utf8')
const commit = execFileSync('git', ['-C', checkout, 'rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim()

const rules = config
  .split('[[rules]]')
  .slice(1)
  .map((rule) => ({
    id: /id = "(.*?)"/.exec(rule)?.[1] ?? '',
    regex: /regex = '''(.*?)'''/s.exec(rule)?.[1] ?? '',
    keywords: [...(/keywords = \[([^\]]*)\]/.exec(rule)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, word]) => word),
  }))
/** Spaces, ends of a text, repetitions of repetitions: patterns of a place rather than of a token. */
const OTHER = /\.\*|\\[sSz]|\\\\|[+*}]\)(?:[+*]|\{\d+,)|\(\?[^:]|[^\\]\?\(|^[^(]*\)/
const NAMED = '[\\w.-]{0,50}'

/** A rule's pattern of a token without its surroundings, in JavaScript's syntax; undefined if it is another kind. */
function format({ regex }) {
  if (regex.includes(NAMED)) return undefined
  const core = regex
    .replace(/\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$(?:\|\\b)?\)$/, '')
    .replaceAll('\\b', '')
    .replaceAll('[[:alnum:]]', '[A-Za-z0-9]')
    .replace(/\\-(?=\])/g, '-')
    .replace(/\[([^\]]*)\\-([^\]]*)\]/g, '[$1$2-]')
    .replace(/(?<!\[[^\]]*)\\-/g, '-')
  const isFolded = core.includes('(?i')
  const plain = core.replace(/\(\?-?i\)/g, '').replace(/\(\?-?i:/g, '(?:')
  const inner = /^\((?!\?)(.*)\)$/.exec(plain)?.[1] ?? plain
  const folded = isFolded ? inner.replace(/\[([^\]]*)\]/g, (_, set) => `[${fold(set)}]`) : inner
  const text = folded.replace(/\((?!\?)/g, '(?:')
  const options = text.replace(/^\(\?:((?:[^()]|\([^()]*\))*)\)$/, '$1').split(/\|(?![^(]*\))/)
  const prefixed = options.filter((option) => /^(?:\(\?:)?[A-Za-z_]{2,}[\w.~|:)]*[-_.[(\\]/.test(option))
  return prefixed.length > 0 && !OTHER.test(text) ? prefixed.join('|') : undefined
}

const fold = (set) =>
  set.replace(/[a-z]-[a-z]/g, (range) => (set.includes(range.toUpperCase()) ? range : `${range}${range.toUpperCase()}`))

/** A made-up token of a format: each class gives its first character or digit, each repetition its least number. */
function sample(pattern) {
  const options = /\(\?:([^()]*)\)\??/
  let text = pattern
  while (options.test(text)) text = text.replace(options, (_, inner) => inner.split('|')[0])
  return text
    .replace(/(\[[^\]]+\]|\\[dw])(?:\{(\d+)(?:,\d*)?\}|\+|(\?))?/g, (_, set, count) => {
      const characters = 'a1bA2'.split('').filter((one) => new RegExp(`^${set}$`).test(one))
      return Array.from({ length: Number(count ?? 8) }, (_, at) => characters[at % characters.length]).join('')
    })
    .replaceAll('\\', '')
}

/** Vendors whose names are words that name other things, too. */
const AMBIGUOUS = new Set([
  'discord',
  'facebook',
  'kraken',
  'linear',
  'linkedin',
  'looker',
  'travis',
  'twitch',
  'twitter',
])

const known = new RegExp(`^(?:${KNOWN_TOKENS.map(([, pattern]) => pattern).join('|')})$`)
const formats = rules
  .map((rule) => [rule.id, format(rule)])
  .filter(([, pattern]) => pattern !== undefined && !known.test(sample(pattern)))
/** The names of a rule's vendor, if the rule is named after it. */
const namesIn = (id, keywords) => {
  const words = keywords.map((word) => word.replace(/\W|_/g, ''))
  return id.replaceAll('-', '').startsWith(words[0]) ? words : []
}
const names = rules
  .filter(({ regex }) => regex.includes(NAMED))
  .flatMap(({ id, keywords }) => namesIn(id, keywords))
  .filter((name) => name.length > 3 && !AMBIGUOUS.has(name))

// Each set of characters has a letter: `{x40}` are 40 characters of x, `{w20-}` 20 or more of w.
const SETS = {
  d: '0-9',
  x: '0-9a-f',
  X: '0-9A-Fa-f',
  u: '0-9A-Z',
  l: '0-9a-z',
  m: '0-9A-Za-z',
  w: 'A-Za-z0-9_-',
  b: 'A-Za-z0-9+/',
  e: 'A-Za-z0-9_=-',
}
const ASCII = Array.from({ length: 95 }, (_, at) => String.fromCharCode(at + 32))
const members = (set) => ASCII.filter((one) => new RegExp(`^${set}$`).test(one)).join('')
const letters = new Map(Object.entries(SETS).map(([letter, set]) => [members(`[${set}]`), letter]))
const template = (pattern) =>
  pattern
    .replace(
      /(\[[^\]]+\]|\\[dw])(?:\{(\d+)(,?)(\d*)\}|(\+)|(?![{+?]))/g,
      (all, set, least = '1', comma, most, plus) => {
        const letter = letters.get(members(set))
        if (letter === undefined) return all
        return `{${letter}${plus ? '8-' : `${least}${comma ? '-' : ''}${most ?? ''}`}}`
      },
    )
    .replaceAll('(?:', '(')
    .replaceAll('\\/', '/')

writeFileSync(
  'src/redaction/vendor-formats.ts',
  `// Written by scripts/vendor-formats.mjs from the rules of gitleaks (https://github.com/gitleaks/gitleaks, MIT), ${commit}.

/**
 * Formats of tokens beyond those of vendor-tokens.ts, by rule. \`{x40}\` are 40 characters of the set x, \`{w20-}\` are
 * 20 or more of the set w, which vendor-tokens.ts lists.
 */
export const VENDOR_FORMATS: readonly (readonly [rule: string, format: string])[] = [
${formats.map(([id, pattern]) => `  [${JSON.stringify(id)}, String.raw\`${template(pattern)}\`],`).join('\n')}
]

/** Vendors whose name names their keys: \`adafruit = …\`. */
export const VENDOR_NAMES =
  ${JSON.stringify([...new Set(names)].toSorted().join(' '))}
`,
)
console.log(`${formats.length} formats, ${names.length} names`)
