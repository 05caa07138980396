import type { FieldValue } from '../../../semconv/index.js'
import { jsonLiteral, type JsonNode, type JsonObject } from '../../json/node.js'
import { readShape, type Property } from '../../shape.js'
import { seqOf, type SpanNode } from '../../tree.js'

/** A property whose key is left out where there is no value, or written as null. */
export interface Key extends Property {
  readonly orNull?: boolean
}

/** An object's keys; a nested object is left out where none of its keys has a value. */
export interface PresentShape {
  readonly [key: string]: Key | PresentShape
}

export type Values = Readonly<Record<string, FieldValue | undefined>>

const NOTHING_OMITTED: ReadonlySet<string> = new Set()

/** The field values that an object of a shape holds. */
export const readPresent = (node: JsonNode | undefined, shape: PresentShape): Record<string, FieldValue> =>
  readShape(node, shape, NOTHING_OMITTED)

/** What stands for each key of a shape that has anything. */
export function writePresent<Shape extends PresentShape>(
  values: Values,
  shape: Shape,
): { readonly [Name in keyof Shape]?: JsonNode | undefined } {
  const nodes: { [Name in keyof Shape]?: JsonNode | undefined } = {}
  for (const name in shape) nodes[name] = writeEntry(values, shape[name])
  return nodes
}

/** An object of the entries that have a value; undefined where none has more than a null. */
export function presentObject(entries: Readonly<Record<string, JsonNode | undefined>>): JsonObject | undefined {
  const object = objectOf(entries)
  return object.members.some(({ value }) => value.kind !== 'literal' || value.value !== null) ? object : undefined
}

/** The object that a span stands for. */
export function spanObject(node: SpanNode, entries: Readonly<Record<string, JsonNode | undefined>>): JsonObject {
  const slot = seqOf(node)
  return { ...objectOf(entries), origin: node.span.spanId, ...(slot === undefined ? {} : { slot }) }
}

const objectOf = (entries: Readonly<Record<string, JsonNode | undefined>>): JsonObject => ({
  kind: 'object',
  members: Object.entries(entries).flatMap(([key, value]) =>
    value ? [{ key: { kind: 'string', value: key }, value }] : [],
  ),
})

function writeEntry(values: Values, entry: Key | PresentShape | undefined): JsonNode | undefined {
  if (!entry) return undefined
  if (!isKey(entry)) return presentObject(writePresent(values, entry))
  const value = values[entry.field]
  return (value === undefined ? undefined : entry.form.write(value)) ?? (entry.orNull ? jsonLiteral(null) : undefined)
}

const isKey = (entry: Key | PresentShape): entry is Key => typeof entry['field'] === 'string'
