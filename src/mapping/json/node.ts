/**
 * A lossless JSON node. The parser keeps how a node was written (`raw`, `space`). Nodes made by a mapping are written
 * in the style of the document.
 */
export type JsonNode = JsonString | JsonNumber | JsonLiteral | JsonArray | JsonObject

export interface JsonString {
  readonly kind: 'string'
  /** The decoded text. It may contain lone surrogates. */
  readonly value: string
  /** The text between the quotes as written, including escapes. */
  raw?: string
}

export interface JsonNumber {
  readonly kind: 'number'
  text: string
}

export interface JsonLiteral {
  readonly kind: 'literal'
  readonly value: boolean | null
}

export interface JsonArray {
  readonly kind: 'array'
  readonly items: JsonNode[]
  /** White space before and after each item, or inside an empty array. Missing entries follow the style. */
  space?: readonly (string | undefined)[]
  /** The id of the span that an array of a whole record was decoded from. */
  origin?: string
}

export interface JsonObject {
  readonly kind: 'object'
  readonly members: JsonMember[]
  /** White space before and after each key, and before and after each value, or inside an empty object. */
  space?: readonly (string | undefined)[]
  /** The id of the span that the object was decoded from. */
  origin?: string
  /** The object's index in its array, as recorded by its span. */
  slot?: number
}

export interface JsonMember {
  readonly key: JsonString
  value: JsonNode
}

/** A parsed document with the white space around it. */
export interface JsonDocument {
  readonly root: JsonNode
  readonly head: string
  readonly tail: string
}

export const jsonString = (value: string): JsonString => ({ kind: 'string', value })
export const jsonNumber = (text: string): JsonNumber => ({ kind: 'number', text })
export const jsonLiteral = (value: boolean | null): JsonLiteral => ({ kind: 'literal', value })
export const jsonArray = (items: JsonNode[]): JsonArray => ({ kind: 'array', items })
export const jsonObject = (entries: readonly (readonly [string, JsonNode])[]): JsonObject => ({
  kind: 'object',
  members: entries.map(([key, value]) => ({ key: jsonString(key), value })),
})

/** Returns the first member with a key. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.find((entry) => entry.key.value === key)?.value : undefined
}

export const hasMember = (node: JsonNode | undefined, key: string): boolean => member(node, key) !== undefined

/** Returns the text of a string node. */
export const stringOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'string' ? node.value : undefined

/** Whether a node is the literal `true`. */
export const isTrue = (node: JsonNode | undefined): boolean => node?.kind === 'literal' && node.value === true

/** Returns the items of an array node. Empty for any other node. */
export const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] => (node?.kind === 'array' ? node.items : [])
