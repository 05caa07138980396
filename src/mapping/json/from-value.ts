import { jsonArray, jsonLiteral, jsonNumber, jsonObject, jsonString, type JsonNode } from './node.js'

/** Plain data that has a JSON form; undefined members are left out. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }

/** Plain data as a node. A number without a JSON form becomes its text. */
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
