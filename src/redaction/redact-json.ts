import {
  jsonString,
  parseJsonDocument,
  writeJsonDocument,
  type JsonNode,
  type JsonObject,
} from '../mapping/json/index.js'
import type { JsonPath, Redactor } from './redactor.js'
import { MARKER } from './secret-values.js'

/** Masks secrets inside JSON text, by key and by value; the rest stays as written. Undefined for invalid JSON. */
export function redactJson(text: string, redactor: Redactor): string | undefined {
  const document = parse(text)
  if (!document) return undefined
  const masked = redactNode(document.root, [], redactor)
  return masked === document.root
    ? text
    : writeJsonDocument(masked, { head: document.head, tail: text.slice(document.end) })
}

function parse(text: string): ReturnType<typeof parseJsonDocument> | undefined {
  try {
    const document = parseJsonDocument(text)
    return text.slice(document.end).trim() === '' ? document : undefined
  } catch {
    return undefined
  }
}

/** Masks the secrets in a node; returns the same node if there are none. */
function redactNode(node: JsonNode, path: JsonPath, redactor: Redactor): JsonNode {
  if (path.length > 0 && redactor.isSecretPath(path)) return mask(node)
  if (node.kind === 'object') return redactMembers(node, path, redactor)
  if (node.kind === 'array') {
    const texts = node.items.map((item) => (item.kind === 'string' ? item.value : undefined))
    const items = node.items.map((item, index) =>
      followsSecretName(texts, index, redactor) ? mask(item) : redactNode(item, [...path, index], redactor),
    )
    return items.every((item, index) => item === node.items[index]) ? node : { ...node, items }
  }
  if (node.kind === 'number') return redactor.isSecretNumber(node.text) ? mask(node) : node
  if (node.kind !== 'string') return node
  const masked = redactor.text(node.value)
  return masked === node.value ? node : jsonString(masked)
}

function redactMembers(node: JsonObject, path: JsonPath, redactor: Redactor): JsonNode {
  const isNamed = namedKeys(node, redactor)
  let changed = false
  const members = node.members.map((member) => {
    const { key, value } = member
    const secret =
      isNamed(key.value) ||
      (value.kind === 'string' ? redactor.isSecretMember(key.value, value.value) : redactor.isSecretKey(key.value))
    const masked = secret ? mask(value) : redactNode(value, [...path, key.value], redactor)
    const maskedKey = redactor.text(key.value)
    if (masked === value && maskedKey === key.value) return member
    changed = true
    return { key: maskedKey === key.value ? key : jsonString(maskedKey), value: masked }
  })
  return changed ? { ...node, members } : node
}

const NAME_KEYS: ReadonlySet<string> = new Set(['name', 'key', 'label', 'field', 'id', 'title'])
/** The keys under which browser agents name the field that they type into. */
const FIELD_KEYS: ReadonlySet<string> = new Set(['element', 'selector', 'locator', 'placeholder'])
const VALUE_KEYS: ReadonlySet<string> = new Set(['value', 'answer', 'default', 'defaultvalue'])
/** Keys that often hold a long text whose title merely mentions secrets. */
const TEXT_KEYS: ReadonlySet<string> = new Set(['content', 'text'])

/** Matches the keys whose values are secret, as in `{"label": "Password", "value": …}` or `{"type": "password", …}`. */
function namedKeys(node: JsonObject, redactor: Redactor): (key: string) => boolean {
  const texts = node.members.flatMap(({ key, value }) =>
    value.kind === 'string' ? [{ key: key.value.toLowerCase(), text: value.value }] : [],
  )
  const names = texts.filter(({ key }) => NAME_KEYS.has(key) || FIELD_KEYS.has(key)).map(({ text }) => text)
  const isPassword = texts.some(({ key, text }) => key === 'type' && text.toLowerCase() === 'password')
  const values = isPassword || names.some((name) => redactor.isSecretKey(name))
  const content = isPassword || names.some((name) => redactor.isSecretLabel(name))
  return (key) => (values && VALUE_KEYS.has(key.toLowerCase())) || (content && TEXT_KEYS.has(key.toLowerCase()))
}

/** Masks a value, unless it carries no information: null, true, false, empty text. */
const mask = (node: JsonNode): JsonNode =>
  node.kind === 'literal' || (node.kind === 'string' && (node.value === '' || node.value === MARKER))
    ? node
    : jsonString(MARKER)

const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{1,40})$/i

/**
 * Whether a list's item is the secret value of the name before it: of a flag (`["--api-key", …]`), a header (`["Host",
 * "h", "Authorization", …]`) or a pair (`["password", …]`). Items that are not text are passed as undefined.
 */
export function followsSecretName(items: readonly (string | undefined)[], index: number, redactor: Redactor): boolean {
  const name = items[index - 1]
  if (name === undefined || items[index] === undefined || !redactor.isSecretKey(name)) return false
  return /^--?[\w-]+$/.test(name) || HEADER.test(name) || (items.length === 2 && index === 1 && /^\S{1,64}$/.test(name))
}
