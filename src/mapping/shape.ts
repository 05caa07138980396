import type { FieldValue } from '../semconv/index.js'
import type { Form } from './form.js'
import { jsonLiteral, member, type JsonMember, type JsonNode } from './json/node.js'

/** Where the value of a record's key lives: a field of a span, and the form it has in JSON. */
export interface Property {
  readonly field: string
  readonly form: Form
}

/** An object's keys in the order of the canonical writing, nested ones that no span stands for included. */
export interface Shape {
  readonly [key: string]: Property | Shape
}

const isProperty = (entry: Property | Shape): entry is Property => typeof entry['field'] === 'string'

/** The field values that an object of a shape holds; of a repeated key the first counts. Other JSON is passed over. */
export function readShape(
  node: JsonNode | undefined,
  shape: Shape,
  omitted: ReadonlySet<string>,
): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {}
  for (const [key, entry] of Object.entries(shape)) {
    const value = omitted.has(key) ? undefined : member(node, key)
    if (!value) continue
    if (isProperty(entry)) {
      const read = entry.form.read(value)
      if (read !== undefined) values[entry.field] = read
    } else Object.assign(values, readShape(value, entry, omitted))
  }
  return values
}

/** The members of a shape's object: every key that is not omitted, null where there is no value. */
export function writeShape(
  values: Readonly<Record<string, FieldValue | undefined>>,
  shape: Shape,
  omitted: ReadonlySet<string>,
): JsonMember[] {
  return Object.entries(shape).flatMap(([key, entry]): JsonMember[] => {
    if (omitted.has(key)) return []
    return [{ key: { kind: 'string', value: key }, value: writeEntry(values, entry, omitted) }]
  })
}

function writeEntry(
  values: Readonly<Record<string, FieldValue | undefined>>,
  entry: Property | Shape,
  omitted: ReadonlySet<string>,
): JsonNode {
  if (!isProperty(entry)) return { kind: 'object', members: writeShape(values, entry, omitted) }
  const value = values[entry.field]
  return (value === undefined ? undefined : entry.form.write(value)) ?? jsonLiteral(null)
}
