/**
 * JSON without loss. A node made by the parser knows its own writing (`raw`, `space`); a node made by a mapping does
 * not, and is written in the document's style.
 */
export type JsonNode = JsonString | JsonNumber | JsonLiteral | JsonArray | JsonObject

export interface JsonString {
  readonly kind: 'string'
  /** The decoded text; may hold lone surrogates. */
  readonly value: string
  /** The text as written between the quotes, escapes included. */
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
  /** White space: before and after each item; the one inside an empty array. Holes are as the style has them. */
  space?: readonly (string | undefined)[]
  /** The id of the span that an array of a whole record was decoded from. */
  origin?: string
}

export interface JsonObject {
  readonly kind: 'object'
  readonly members: JsonMember[]
  /** White space: before each key, after it, before and after each value; the one inside an empty object. */
  space?: readonly (string | undefined)[]
  /** The id of the span that the object was decoded from. */
  origin?: string
  /** The index that the object has in its array, told by its span. */
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

/** The first member of that key. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.find((entry) => entry.key.value === key)?.value : undefined
}

export const hasMember = (node: JsonNode | undefined, key: string): boolean => member(node, key) !== undefined

/** The text of a string node. */
export const stringOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'string' ? node.value : undefined

/** Whether a node is the literal `true`. */
export const isTrue = (node: JsonNode | undefined): boolean => node?.kind === 'literal' && node.value === true

/** The items of an array node; none for anything else. */
export const itemsOf = (node: JsonNode | undefined): readonly JsonNode[] => (node?.kind === 'array' ? node.items : [])
