import { followsSecretName, redactJson } from './redact-json.js'
import { isSuspicious, maskSecrets } from './find-secrets.js'
import { EMAIL, PHONE } from './places.js'
import { remembered } from './remembered.js'
import { isSecretLabel, isSecretUnder, namingOf } from './secret-names.js'
import { isPlaceholder, MARKER } from './secret-values.js'
import { isCardNumber } from './tokens.js'
import { ATTR, isStructural } from '../semconv/index.js'

/** The masking of secrets, in addition to the built-in patterns. */
export interface RedactOptions {
  /** Additional patterns of secrets; their matches in any text are masked. */
  patterns?: readonly RegExp[] | undefined
  /** Additional keys, of attributes and inside JSON, whose values are masked: whole names in any case, or patterns. */
  keys?: readonly (string | RegExp)[] | undefined
  /**
   * Paths from the root of any JSON text, `user.address.*`, whose values are masked; `*` stands for one key or index.
   */
  paths?: readonly string[] | undefined
  /** Whether the built-in patterns are used as well. @default true */
  builtIn?: boolean | undefined
  /** Whether email addresses are masked. @default false */
  emails?: boolean | undefined
  /** Whether phone numbers are masked: international and North American ones. @default false */
  phones?: boolean | undefined
}

/** A path inside a JSON text. */
export type JsonPath = readonly (string | number)[]

/** Masks secrets. Fails closed: a value that can't be examined is masked entirely. */
export interface Redactor {
  text(text: string): string
  isSecretKey(key: string): boolean
  /** Whether a text is the secret that its key names. */
  isSecretMember(key: string, value: string): boolean
  /** Whether a label, title or selector names a secret: as a key, or with the last of several words. */
  isSecretLabel(label: string): boolean
  isSecretPath(path: JsonPath): boolean
  /** Whether a number is a card number. */
  isSecretNumber(digits: string): boolean
  /** Masks the secrets in a key; few keys come again and again, so the answers are remembered. */
  key(key: string): string
  /** A copy with the secrets masked, and the masked keys; undefined if there are none. */
  attributes<Value>(attributes: Readonly<Record<string, Value>>): RedactedAttributes<Value> | undefined
}

interface RedactedAttributes<Value> {
  readonly attributes: Record<string, Value>
  readonly keys: readonly string[]
}

const MAX_NESTED_JSON = 16
const JSON_START = /^\s*[[{"]/

export function createRedactor(options: RedactOptions = {}): Redactor {
  const { patterns = [], keys = [], paths = [], builtIn = true, emails = false, phones = false } = options
  const values = [
    ...(emails ? [EMAIL] : []),
    ...(phones ? [PHONE] : []),
    ...patterns.map((pattern) => withFlags(pattern, 'g')),
  ]
  const ownKeys = keys.map(keyPattern)
  const isOwnKey = (key: string): boolean => ownKeys.some((pattern) => pattern.test(key))
  const secretPaths = paths.map((path) => path.split('.'))
  const alwaysExamined = !builtIn || values.length + keys.length + paths.length > 0
  let depth = 0

  const mask = (text: string): string => {
    if (depth >= MAX_NESTED_JSON) return MARKER
    depth++
    try {
      if (!JSON_START.test(text)) return plainText(text)
      if (!alwaysExamined && !isSuspicious(text)) return text
      return redactJson(text, redactor) ?? plainText(text)
    } catch {
      return MARKER
    } finally {
      depth--
    }
  }

  const redactor: Redactor = {
    text: mask,
    isSecretKey: remembered((key) => (builtIn && namingOf(key) === 'secret') || isOwnKey(key)),
    isSecretLabel: (label) => (builtIn && isSecretLabel(label)) || isOwnKey(label),
    isSecretMember: (key, value) =>
      redactor.isSecretKey(key)
        ? !isPlaceholder(value)
        : builtIn && namingOf(key) === 'key' && isSecretUnder(key, value),
    key: remembered(mask),
    isSecretPath: (path) =>
      secretPaths.some(
        (wanted) =>
          wanted.length === path.length && wanted.every((part, at) => part === '*' || part === String(path[at])),
      ),
    isSecretNumber: (digits) => builtIn && isCardNumber(digits),
    attributes: (attributes) => redactAttributes(redactor, attributes),
  }

  function plainText(text: string): string {
    let masked = builtIn ? maskSecrets(text) : text
    for (const pattern of values) masked = masked.replace(pattern, MARKER)
    return masked
  }

  return redactor
}

function redactAttributes<Value>(
  redactor: Redactor,
  attributes: Readonly<Record<string, Value>>,
): RedactedAttributes<Value> | undefined {
  let copy: Record<string, Value> | undefined
  const keys: string[] = []
  for (const key in attributes) {
    const isName = isStructural(key)
    if (isName && key !== ATTR.errorType) continue
    const value = attributes[key] as Value
    const masked = redactAttribute(redactor, key, value) as Value
    const maskedKey = isName ? key : redactor.key(key)
    if (Object.is(masked, value) && maskedKey === key) continue
    copy ??= { ...attributes }
    if (maskedKey !== key) delete copy[key]
    copy[maskedKey] = masked
    keys.push(maskedKey)
  }
  return copy && { attributes: copy, keys }
}

function redactAttribute(redactor: Redactor, key: string, value: unknown): unknown {
  try {
    return redactValue(redactor, key, value)
  } catch {
    return MARKER
  }
}

function redactValue(redactor: Redactor, key: string, value: unknown): unknown {
  if (typeof value === 'string') {
    return value !== '' && redactor.isSecretMember(key, value) ? MARKER : redactor.text(value)
  }
  if (typeof value === 'number') return isLong(value) && redactor.isSecretNumber(String(value)) ? MARKER : value
  if (Array.isArray(value)) return redactList(redactor, key, value)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const members = Object.entries(value)
  const masked = members.map(([name, member]): [string, unknown] => [name, redactValue(redactor, name, member)])
  return masked.every(([, member], index) => Object.is(member, members[index]?.[1]))
    ? value
    : Object.fromEntries(masked)
}

/** Whether a number has enough digits for a card number; few numbers do, so most need no conversion to text. */
const isLong = (value: number): boolean => Math.abs(value) >= 1e13

function redactList(redactor: Redactor, key: string, items: readonly unknown[]): readonly unknown[] {
  const texts = items.map((item) => (typeof item === 'string' ? item : undefined))
  const masked = items.map((item, index) =>
    followsSecretName(texts, index, redactor) ? MARKER : redactValue(redactor, key, item),
  )
  return masked.every((item, index) => Object.is(item, items[index])) ? items : masked
}

/** The attribute that lists masked attributes, with some more added. */
export function redactedFields(before: unknown, keys: readonly string[]): string[] {
  const listed = Array.isArray(before) ? before.filter((key): key is string => typeof key === 'string') : []
  return [...new Set([...listed, ...keys])]
}

const keyPattern = (key: string | RegExp): RegExp =>
  typeof key === 'string'
    ? new RegExp(`^${key.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`, 'i')
    : withFlags(key, '')

/** A copy of a pattern without state of its own: global or not, never sticky. */
const withFlags = (pattern: RegExp, flag: 'g' | ''): RegExp =>
  new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '') + flag)
