import { jsonArray, jsonLiteral, jsonNumber, jsonObject, jsonString, type JsonNode } from './node.js'

/** Plain data that can be written as JSON. Undefined members are left out. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }

/** Converts plain data to a node. NaN and infinite numbers become text. */
export function jsonFromValue(value: JsonValue): JsonNode {
  if (typeof value === 'string') return jsonString(value)
  if (typeof value === 'number') return Number.isFinite(value) ? jsonNumber(String(value)) : jsonString(String(value))
  if (value === null || typeof value === 'boolean') return jsonLiteral(value)
  if (Array.isArray(value)) return jsonArray(value.map(jsonFromValue))
  return jsonObject(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key, jsonFromValue(member)] as const],
    ),
  )
}

/** Converts a node to plain data, as JSON.parse does: the last of repeated keys wins, and numbers are doubles. */
export function toValue(node: JsonNode): JsonValue {
  if (node.kind === 'string' || node.kind === 'literal') return node.value
  if (node.kind === 'number') return Number(node.text)
  if (node.kind === 'array') return node.items.map(toValue)
  return Object.fromEntries(node.members.map(({ key, value }) => [key.value, toValue(value)]))
}
