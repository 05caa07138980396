/** A value and where it stands in a text. */
export interface FoundValue {
  readonly from: number
  readonly to: number
  readonly isQuoted: boolean
  /** How it follows its name; `beside` only connects by a comma or a space, so the value must look like a secret. */
  readonly by: 'operator' | 'spaced' | 'type' | 'beside' | 'flag' | 'markup'
}

const SPACE = String.raw`[^\S\r\n]{0,40}`
const QUOTE = String.raw`(?:\\{0,8}["'\x60]|%22|&quot;)`
const OPERATOR = String.raw`(?::{0,3}={1,3}[>~]?|[?!|+.&^]{1,2}={1,2}|->|<-|:{1,2}|：|%3[ADad])`
const TYPE = String.raw`(?:[:?]{1,2}${SPACE}|[ \t])(?!\[REDACTED\])[&*]?[\w.<>?[\]|]{1,40}(?:[ \t][\w.<>?[\]]{1,20})?[ \t]{1,4}(?=:?=[^=])`

// `name = `, `"name": `, `['name'] => `, `name: string = `, `name %3D `
const ASSIGNED = new RegExp(
  `(?:${QUOTE})?[\\])]{0,2}(${SPACE}${TYPE})?(${SPACE})${OPERATOR}(${SPACE})(?:[>|][+-]?)?`,
  'y',
)
const OR = new RegExp(`(?:${QUOTE})?[\\])]{0,2}${SPACE}(?:\\|\\||\\?\\?|or\\b|,)${SPACE}(?=${QUOTE})`, 'y')
// `"name", "value"`; `"name": "X", "value": "Y"`; `<key>X</key><string>Y</string>`
const ARGUMENT = new RegExp(`${QUOTE}\\s{0,4},\\s{0,4}(?=${QUOTE})`, 'y')
const PAIR = new RegExp(
  `(?:${QUOTE})?(?:[\\s,;]{1,20}(?:${QUOTE})?(?:value|default|content|string)(?:${QUOTE})?\\s{0,4}[:=]\\s{0,4}|\\s{0,20}</[\\w:.-]{1,40}>\\s{0,40}<[\\w:.-]{1,40}>)`,
  'y',
)
const NAMED = /(?:\b(?:name|key|id|label)(?:\\{0,8}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,8}["'])?|<(?:key|name)>)$/i
const IN_TAG = /[^<>]{0,100}>\s{0,40}/y
const NEXT_LINE = /\s{0,4}\r?\n\s{1,40}/y
// What may stand between an operator and a quote, or a scheme
const WRAPPED =
  /(?:(?:new\s)?(?:Some|String(?:::from|\.raw)?|SecretStr|Secret|Optional\.of|bytes|str|b64decode|Buffer\.from|QStringLiteral)?[([{]{1,2}\s{0,2}|[$@]{1,2}|[bruf]{1,2}|\()(?=\\{0,8}["'`])/y
const SCHEME = /(?:bearer|basic|digest|token|apikey|bot|splunk|negotiate|oauth)(?:\s|%20|\+){1,4}(?=[^\s"'`]{4})/iy

/** Finds the value of a name that ends at a position: behind an operator, a comma, a space or a tag. */
export function valueOf(text: string, nameFrom: number, nameTo: number): FoundValue | undefined {
  const assigned = match(ASSIGNED, text, nameTo)
  if (assigned) {
    const [, type, before, after] = assigned
    const isSpaced = before !== '' || (after !== '' && /[=>]\s+$/.test(assigned[0]))
    return valueAt(text, ASSIGNED.lastIndex, type === undefined ? (isSpaced ? 'spaced' : 'operator') : 'type')
  }
  const isInTag = text[nameFrom - 1] === '<'
  if (isInTag) return match(IN_TAG, text, nameTo) ? markup(text, IN_TAG.lastIndex) : undefined
  const isFlag = text[nameFrom - 1] === '-' || text[nameFrom] === '-'
  if (match(PAIR, text, nameTo) && NAMED.test(text.slice(Math.max(0, nameFrom - 24), nameFrom))) {
    return valueAt(text, PAIR.lastIndex, 'operator') ?? markup(text, PAIR.lastIndex)
  }
  if (match(ARGUMENT, text, nameTo)) return valueAt(text, ARGUMENT.lastIndex, isFlag ? 'flag' : 'beside')
  if (match(OR, text, nameTo)) return valueAt(text, OR.lastIndex, 'beside')
  const gap = match(GAP, text, nameTo)
  if (!gap) return undefined
  return valueAt(text, GAP.lastIndex, isFlag || isNetrc(text, nameFrom) ? 'flag' : 'beside')
}

const GAP = /[^\S\r\n]{1,4}/y
const isNetrc = (text: string, at: number): boolean =>
  /\b(?:machine|login)\s{1,8}\S{1,80}\s{1,8}$/.test(text.slice(Math.max(0, at - 100), at))

/** Finds the quoted value that is compared with a name: `"…" === name`. */
export function valueBefore(text: string, nameFrom: number): FoundValue | undefined {
  if (!/[=]\s{0,4}$/.test(text.slice(Math.max(0, nameFrom - 5), nameFrom))) return undefined
  const start = Math.max(0, nameFrom - 200)
  const found = /(["'`])([^"'`\r\n]{1,150})\1\s{0,4}[!=]={1,2}\s{0,4}$/.exec(text.slice(start, nameFrom))
  if (!found) return undefined
  const from = start + found.index + 1
  return { from, to: from + (found[2] ?? '').length, isQuoted: true, by: 'operator' }
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

const OPENING = /(\\{0,8})(["'`])|%22|&quot;/y
const bareEnd = endOfRun(/[^\s"'`\\,;&<>(){}[\]|]+/y)

/** Returns the end of the word at a position, which may contain brackets. */
export const toEndOfWord = endOfRun(/[^\s"'`]+/y)

/** Returns the end of a run of characters. The last run is remembered: many names may stand in one long word. */
function endOfRun(pattern: RegExp): (text: string, at: number) => number {
  let last = { text: '', from: 0, to: 0 }
  return (text, at) => {
    if (last.from <= at && at < last.to && last.text === text) return last.to
    const to = match(pattern, text, at) ? pattern.lastIndex : at
    if (to - at > LONG_RUN) last = { text, from: at, to }
    return to
  }
}

const LONG_RUN = 1_000

function valueAt(text: string, start: number, by: FoundValue['by']): FoundValue | undefined {
  let at = start
  if (match(NEXT_LINE, text, at)) {
    OPENING.lastIndex = NEXT_LINE.lastIndex
    if (text[at - 1] !== '>' && text[at - 1] !== '|' && !OPENING.test(text)) return undefined
    at = NEXT_LINE.lastIndex
  }
  if (match(WRAPPED, text, at)) at = WRAPPED.lastIndex
  const opening = match(OPENING, text, at)
  if (opening) return quoted(text, OPENING.lastIndex, opening, by)
  const from = at
  if (match(SCHEME, text, at)) at = SCHEME.lastIndex
  const to = bareEnd(text, at)
  return to === at ? undefined : { from, to, isQuoted: false, by }
}

/** A value up to its closing quote, or to the end of a cut text. */
function quoted(text: string, from: number, opening: RegExpExecArray, by: FoundValue['by']): FoundValue | undefined {
  const [all, slashes = '', quote] = opening
  const close = quote === undefined ? all : slashes + quote
  const isTriple = quote !== undefined && slashes === '' && text.startsWith(quote + quote, from)
  const start = isTriple ? from + 2 : from
  if (quote !== undefined && slashes === '' && text[start] === quote) return undefined
  const end = isTriple ? text.indexOf((quote ?? '').repeat(3), start) : closing(text, start, close, slashes)
  const to = end < 0 ? text.length : end
  return to > start ? { from: start, to, isQuoted: true, by } : undefined
}

function closing(text: string, start: number, close: string, slashes: string): number {
  if (slashes !== '' || close.length > 1) return text.indexOf(close, start)
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === close) return at
    else if (character === '\n' && close !== '`') return at
  }
  return -1
}

function markup(text: string, from: number): FoundValue | undefined {
  const end = text.indexOf('<', from)
  if (end <= from || end - from > 4000 || text[end + 1] !== '/') return undefined
  return { from, to: end, isQuoted: true, by: 'markup' }
}
