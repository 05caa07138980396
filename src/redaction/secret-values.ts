/** The replacement of a masked value. */
export const MARKER = '[REDACTED]'

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const RANDOM_CHARACTERS = /^[\w+/=.~:|%?$@!#&*^-]{14,4096}$/

const MOST_READ = 60

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Whether a value looks random: one word that changes often between letters and digits, and no path and no time. */
export function looksRandom(value: string): boolean {
  if (!RANDOM_CHARACTERS.test(value) || NOT_RANDOM.test(value)) return false
  const start = value.slice(0, MOST_READ)
  const changes = count(start, /[a-z](?=\d)|\d(?=[a-z])/gi)
  if (changes >= Math.max(3, start.length / 12)) return true
  return changes + count(start, /[a-z](?=[A-Z])|[A-Z](?=[a-z])/g) >= start.length / 2.2
}

const NOT_RANDOM = /:\/\/|^\d{4}-\d\d-\d\d|^[./~]|^[\w-]+(?:\.[a-z]{2,})+(?:[:/]|$)/

export const isUuid = (value: string): boolean => UUID.test(value)

/** Whether a word looks like a password: with a digit beside a letter, or with a special character inside. */
export const looksLikePassword = (value: string): boolean =>
  value.length >= 4 &&
  !/\s/.test(value) &&
  /[a-z][^\w\s]{0,3}\d|\d[^\w\s]{0,3}[a-z]|\w[!@#$%^&*~][\w!@#$%^&*~]/i.test(value)

const NOTHING =
  /^(?:[\W_]{1,2}|null|undefined|none|nil|true|false|yes|no|required|optional|empty|unset|redacted|hidden|masked)$/i
/** Variables, templates and masks that stand for a value. */
const TEMPLATE = /^(?:\w{1,10}\s)?\$(?:\{|$)/
const PLACEHOLDER =
  /^(?:\$\{[^{}]*\}|\$[A-Za-z_]\w*|\$\(.*\)?|%\w*%|%[a-z]|%\(\w+\)[a-z]|\{\{[^{}]*\}\}|\{[\w.$]{0,30}\}|<[^<>]*>|\[[^\]]*\]?|(.)\1{2,}|\.{3}|…|os\.environ\S*|process\.env\S*|ENV\[.*)$/i

/** Whether a value carries no secret: nothing, a variable, a template or a mask. */
export const isPlaceholder = (value: string): boolean =>
  value.startsWith(MARKER) || NOTHING.test(value) || TEMPLATE.test(value) || PLACEHOLDER.test(value)

const TYPES =
  /^(?:string|str|text|number|int|integer|bool|boolean|bytes?|any|unknown|object|optional|char|varchar|const|var|let|new|await|typeof|function|type|void|never|self|this|return|not|if|is|the|a|an|in|and|or)$/i
const PATH = /^[&*!@]{0,2}[A-Za-z_$][A-Za-z_$\d]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)+[!?]?$/
const CALL = /^(?:[&*!@]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[\w$]+)*(?:<[^<>]*>)?[([{]|[([{])/

/** Whether an unquoted value is code: a type, a member of an object, a call. */
export function isCode(value: string, after: string): boolean {
  if (TYPES.test(value) || (PATH.test(value) && !looksRandom(value))) return true
  return /^[([{<]/.test(after) && CALL.test(value + after) && !isUnbalanced(value + after)
}

/** Whether brackets in a word close others than those that are open: code has none such. */
function isUnbalanced(word: string): boolean {
  const open: string[] = []
  for (const character of word) {
    const close = CLOSING[character]
    if (close !== undefined) open.push(close)
    else if (/[)\]}]/.test(character) && open.length > 0 && open.pop() !== character) return true
  }
  return false
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
