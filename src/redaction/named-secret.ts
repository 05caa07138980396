import { toEndOfWord, valueBefore, valueOf, type FoundValue } from './assignment.js'
import { isSecretUnder, namingOf, type Naming } from './secret-names.js'
import { isCode, isPlaceholder, looksLikePassword, looksRandom, MARKER } from './secret-values.js'

/** A part of a text, from its first character to the one after its last. */
export type Range = readonly [from: number, to: number]

/** A name in a text. */
export interface NameAt {
  readonly from: number
  readonly to: number
  readonly name: string
  readonly naming: Naming
}

const LONGEST = 80
const NAME_CHARACTER = /[\w$-]/

/** The name around a word, unless it does not name a secret. */
export function nameAround(text: string, wordFrom: number, wordTo: number): NameAt | undefined {
  let from = wordFrom
  while (from > 0 && wordFrom - from < LONGEST && isNameCharacter(text, from - 1)) from--
  // A line break's letter in an escaped text
  if (text[from - 1] === '\\' && /[nrt]/.test(text[from] ?? '') && from < wordFrom) from++
  while (from < wordFrom && /[-.\d$]/.test(text[from] ?? '')) from++
  let to = wordTo
  while (to < text.length && to - wordTo < LONGEST && isNameCharacter(text, to)) to++
  while (to > wordTo && /[-.]/.test(text[to - 1] ?? '')) to--
  const name = text.slice(from, to)
  const naming = namingOf(name)
  if (naming === 'secret' || from !== wordFrom) return naming && { from, to, name, naming }
  // "API key", "Access token"
  const before = /([A-Za-z]{2,12})[ ]$/.exec(text.slice(Math.max(0, from - 14), from))?.[1]
  if (before !== undefined && namingOf(`${before}_${name}`) === 'secret') {
    return { from: from - before.length - 1, to, name: `${before} ${name}`, naming: 'secret' }
  }
  return naming && { from, to, name, naming }
}

function isNameCharacter(text: string, at: number): boolean {
  const character = text[at] ?? ''
  if (NAME_CHARACTER.test(character)) return true
  return character === '.' && /\w/.test(text[at - 1] ?? '') && /[A-Za-z_]/.test(text[at + 1] ?? '')
}

/** The secret that a name names, or undefined. */
export function namedSecret(text: string, at: NameAt): Range | undefined {
  const special = wholeHeader(text, at) ?? inQuery(text, at)
  if (special) return special
  const found = valueOf(text, at.from, at.to)
  if (found) {
    const secret = accepted(text, at, found)
    if (secret) return secret
  }
  if (at.naming !== 'secret') return undefined
  const before = valueBefore(text, at.from)
  if (before && !isPlaceholder(text.slice(before.from, before.to))) return [before.from, before.to]
  return spoken(text, at)
}

function accepted(text: string, at: NameAt, found: FoundValue): Range | undefined {
  const { from, to, isQuoted, by } = found
  const value = text.slice(from, to)
  if (isPlaceholder(value)) return undefined
  if (at.naming === 'key')
    return (isQuoted || by !== 'beside') && isSecretUnder(at.name, value) ? [from, to] : undefined
  const end = isQuoted ? to : toEndOfWord(text, to)
  if (!/^[([{]/.test(text[to] ?? '') && isFigure(value, at.name)) return undefined
  if (by === 'flag' || by === 'markup') return value.startsWith('-') ? undefined : [from, to]
  if (by === 'beside') {
    const looks = isQuoted || PASSWORD.test(at.name) ? looksLikePassword(value) : false
    const isSql = isQuoted && /^PASSWORD$/i.test(at.name) && text[from - 1] === "'" && text[from - 2] === ' '
    const isArgument =
      isQuoted && /\([\\"'`]{1,4}$/.test(text.slice(Math.max(0, at.from - 5), at.from)) && /^\S*\d\S*$/.test(value)
    return looks || isSql || isArgument || looksRandom(value)
      ? [from, isQuoted ? to : withoutStop(text, from, to)]
      : undefined
  }
  if (isQuoted) return [from, to]
  const after = text.slice(to, Math.min(end, to + LONGEST_CODE))
  if (by === 'type' || isCode(value, after) || namesItself(value)) return undefined
  if (by === 'spaced' && /^[A-Za-z_$]+[?!]?$/.test(value) && !/^[[({]/.test(after)) return undefined
  if (/^[a-z]+$/i.test(value) && /^[ \t][a-z]/i.test(text.slice(to, to + 2)) && text[from - 1] === ' ') return undefined
  return [
    from,
    /^[{[(|]/.test(after) && !/[&<>]/.test(after[0] ?? '') && after.length > 2 ? withoutStop(text, from, end) : to,
  ]
}

const LONGEST_CODE = 400
const PASSWORD = /passw|pwd|passphrase|passcode|kennwort|contrase|senha/i

/** A count, a state or a shortcut rather than a secret: `token: 5`, `3 pass: 12`. */
const isFigure = (value: string, name: string): boolean =>
  (/^[\d.,]{1,6}%?$/.test(value) && /(?:token|pass|auth|key|cookie|secret)s?$/i.test(name)) ||
  (value.length === 1 && /key$/i.test(name))

const namesItself = (value: string): boolean => /^[A-Za-z_]+$/.test(value) && namingOf(value) !== undefined

function withoutStop(text: string, from: number, to: number): number {
  let end = to
  while (end > from + 1 && /[.,;:!?)]/.test(text[end - 1] ?? '')) end--
  return end
}

const COOKIES = /["']?\s{0,8}:\s{0,8}["']?(?!\[REDACTED\])(?=[^\r\n"'\\=]{1,80}=)([^\r\n"'\\]+)/y
const AUTHORIZATION =
  /\s{0,8}[:=]\s{0,8}(?!\[REDACTED\])(?:[a-z][\w-]{0,30}\s{1,4})?[^\s"'\\,;&<>(){}[\]]+(?:,\s{0,2}[\w-]{1,30}=[^\s,"'\\]+){0,10}/iy

/** Cookies extend to the end of the line, as do the parameters of an authorization: `Digest a=…, b=…`. */
function wholeHeader(text: string, { to, name }: NameAt): Range | undefined {
  const pattern = /cookie$/i.test(name) ? COOKIES : /authorization$/i.test(name) ? AUTHORIZATION : undefined
  if (!pattern) return undefined
  pattern.lastIndex = to
  const found = pattern.exec(text)
  if (!found) return undefined
  const from = to + found[0].length - (found[1] ?? found[0].replace(/^\s{0,8}[:=]\s{0,8}/, '')).length
  const value = text.slice(from, pattern.lastIndex)
  return isPlaceholder(value) || isCode(value, text.slice(pattern.lastIndex, pattern.lastIndex + 80))
    ? undefined
    : [from, pattern.lastIndex]
}

const QUERY_VALUE = /=(?!\[REDACTED\])([^&\s"'\\#<>]{1,4096})/y

/** Signed URLs, and `?key=…` and `?code=…`, unless it is a word, such as the name of a column. */
function inQuery(text: string, { from, to, name }: NameAt): Range | undefined {
  if (text[from - 1] !== '?' && text[from - 1] !== '&') return undefined
  QUERY_VALUE.lastIndex = to
  const value = QUERY_VALUE.exec(text)?.[1]
  if (value === undefined || isPlaceholder(value) || /^[a-z]{1,8}$/.test(value)) return undefined
  const isSecret =
    /^(?:sig|signature|x-(?:amz|goog)-signature)$/i.test(name) || (value.length >= 10 && /\d/.test(value))
  return isSecret ? [to + 1, to + 1 + value.length] : undefined
}

const IS = /s?(?:\s(?:is|are|was|to|for\s[\w.@-]{1,60}\sis|ist|est|es)(?:\snow)?:?|\s?[→=:-]>?|,)\s{1,3}["'`]?/y
const WORD = /[^\s"'`<>,;]{4,128}/y
const PIN = /(?:[ -]?code)?["']?(?:\s(?:is|was|to))?\s?[:=]?\s?["']?(\d{4,8})(?![\w.,:-]\d|\w)/y
const CHINESE = /\s?(?:是|为|は|：|:)\s?["'`]?(?!\[REDACTED\])([\w!@#$%^&*~.+-]{4,})/y

/** Secrets in sentences: "the password is …", "PIN 1234", if the word looks like a password. */
function spoken(text: string, { to, name }: NameAt): Range | undefined {
  const digits = /^pin$/i.test(name) ? PIN : /[^\w\s-]$/.test(name) ? CHINESE : undefined
  if (digits) {
    digits.lastIndex = to
    const found = digits.exec(text)?.[1]
    return found === undefined ? undefined : [digits.lastIndex - found.length, digits.lastIndex]
  }
  IS.lastIndex = to
  if (!IS.test(text)) return undefined
  WORD.lastIndex = IS.lastIndex
  const word = WORD.exec(text)
  if (!word) return undefined
  const end = withoutStop(text, word.index, WORD.lastIndex)
  const value = text.slice(word.index, end)
  return looksLikePassword(value) && !/[=(]/.test(value) && !isPlaceholder(value) && !value.includes(MARKER)
    ? [word.index, end]
    : undefined
}
