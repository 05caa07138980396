import type { JsonValue } from './from-value.js'
import type { JsonNode } from './node.js'

/** A node as plain data, as JSON.parse would have it: of a repeated key the last counts, numbers are doubles. */
export function toValue(node: JsonNode): JsonValue {
  if (node.kind === 'string' || node.kind === 'literal') return node.value
  if (node.kind === 'number') return Number(node.text)
  if (node.kind === 'array') return node.items.map(toValue)
  return Object.fromEntries(node.members.map(({ key, value }) => [key.value, toValue(value)]))
}
