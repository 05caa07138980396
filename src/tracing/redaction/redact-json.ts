import { jsonString, type JsonNode, type JsonObject } from '../../mapping/json/node.js'
import { parseJsonDocument } from '../../mapping/json/parse.js'
import { writeJsonDocument } from '../../mapping/json/write.js'
import { followsSecretName } from './follows-secret-name.js'
import { MARKER } from './patterns.js'
import type { JsonPath, Redactor } from './redactor.js'

/** Masks secrets inside JSON text, by key and by value; the rest stays as written. Undefined for text that is no JSON. */
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

/** The same node when nothing in it is masked. */
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
  if (node.kind !== 'string') return node
  const masked = redactor.text(node.value)
  return masked === node.value ? node : jsonString(masked)
}

function redactMembers(node: JsonObject, path: JsonPath, redactor: Redactor): JsonNode {
  const named = namesSecret(node, redactor)
  let changed = false
  const members = node.members.map((member) => {
    const { key, value } = member
    const secret = redactor.isSecretKey(key.value) || (named && VALUE_KEYS.has(key.value.toLowerCase()))
    const masked = secret ? mask(value) : redactNode(value, [...path, key.value], redactor)
    const maskedKey = redactor.text(key.value)
    if (masked === value && maskedKey === key.value) return member
    changed = true
    return { key: maskedKey === key.value ? key : jsonString(maskedKey), value: masked }
  })
  return changed ? { ...node, members } : node
}

const NAME_KEYS: ReadonlySet<string> = new Set(['name', 'key', 'label', 'field', 'id', 'title'])
const VALUE_KEYS: ReadonlySet<string> = new Set(['value', 'content', 'text', 'answer', 'default', 'defaultvalue'])

/** Whether an object is a named value, `{"label": "Password", "value": …}`, whose name is a secret's. */
const namesSecret = (node: JsonObject, redactor: Redactor): boolean =>
  node.members.some(
    ({ key, value }) =>
      NAME_KEYS.has(key.value.toLowerCase()) && value.kind === 'string' && redactor.isSecretKey(value.value),
  )

/** What says nothing stays: null, true, false, empty text. */
const mask = (node: JsonNode): JsonNode =>
  node.kind === 'literal' || (node.kind === 'string' && (node.value === '' || node.value === MARKER))
    ? node
    : jsonString(MARKER)
