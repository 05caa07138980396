import type { FoundRecord } from '../../mapping/index.js'
import type { JsonNode, JsonValue } from '../../mapping/json/index.js'

/** Limits of the JSON parser of pydantic, which reads records more strictly than planspan imports them. */
const MAX_DEPTH = 200
const MAX_DIGITS = 4_300

/** Returns why pydantic's parser rejects the JSON of a record; undefined if it accepts it. */
export function rejectionOf({ dialect, record }: FoundRecord): string | undefined {
  if (record.hasByteOrderMark) return 'Invalid JSON: a byte order mark'
  // The documents of a file of events are the items of its root.
  const depth = dialect.name === 'plan-act:events' ? 0 : 1
  const pending: { readonly node: JsonNode; readonly depth: number }[] = [{ node: record.document.root, depth }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, depth } = next
    const children = node.kind === 'array' ? node.items : node.kind === 'object' ? node.members.map(valueOf) : []
    if (children.length > 0 && depth > MAX_DEPTH) return `Invalid JSON: nested deeper than ${MAX_DEPTH} levels`
    const texts = node.kind === 'string' ? [node] : node.kind === 'object' ? node.members.map(({ key }) => key) : []
    const rejected = node.kind === 'number' ? longNumber(node.text) : texts.map(badText).find(isDefined)
    if (rejected !== undefined) return `Invalid JSON: ${rejected}`
    for (const child of children) pending.push({ node: child, depth: depth + 1 })
  }
  return undefined
}

const valueOf = ({ value }: { readonly value: JsonNode }): JsonNode => value
const isDefined = (text: string | undefined): boolean => text !== undefined

type Text = Extract<JsonNode, { readonly kind: 'string' }>

const CONTROL = /[\u0000-\u001F]/

function badText({ value, raw = value }: Text): string | undefined {
  if (CONTROL.test(raw)) return 'a control character in a text'
  return value.isWellFormed() ? undefined : 'a lone surrogate in a text'
}

const LONG = new RegExp(`^-?\\d{${MAX_DIGITS + 1}}`)

const longNumber = (text: string): string | undefined =>
  LONG.test(text) ? `a number of more than ${MAX_DIGITS} digits` : undefined

/** Plain data in which whole numbers beyond 2^63 are distinct from floating-point numbers. */
export type PydanticValue = JsonValue | bigint | readonly PydanticValue[] | { readonly [key: string]: PydanticValue }

/** Converts a node to the values that pydantic's models check: the last of repeated keys wins. */
export function toPydanticValue(node: JsonNode): PydanticValue {
  if (node.kind === 'string' || node.kind === 'literal') return node.value
  if (node.kind === 'number') return numberOf(node.text)
  if (node.kind === 'array') return node.items.map(toPydanticValue)
  return Object.fromEntries(node.members.map(({ key, value }) => [key.value, toPydanticValue(value)]))
}

function numberOf(text: string): number | bigint {
  const number = Number(text)
  return Math.abs(number) >= 2 ** 63 && /^-?\d+$/.test(text) ? BigInt(text) : number
}
