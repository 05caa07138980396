import { textForm, type Form } from '../../form.js'
import {
  itemsOf,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString,
  member,
  stringOf,
  type JsonMember,
  type JsonNode,
} from '../../json/node.js'
import { bare, compactJson } from '../../json/write.js'
import { jsonOf, type EventValues } from './event.js'

/** A value of an event's object ⇄ fields of the event. */
export interface Part {
  read(node: JsonNode, values: EventValues): void
  /** Undefined leaves the key out. */
  write(values: EventValues): JsonNode | undefined
}

/** The keys of an object, in the order in which they are written. */
export type Shape = readonly (readonly [key: string, part: Part])[]

/** One field; without a value it is written as null. */
export const field = (name: string, form: Form = textForm): Part => ({
  read: (node, values) => {
    values[name] ??= form.read(node)
  },
  write: (values) => {
    const value = values[name]
    return (value === undefined ? undefined : form.write(value)) ?? jsonLiteral(null)
  },
})

/** One field that stands only where it has a value. */
export const optional = (name: string, form: Form = textForm): Part => ({
  read: field(name, form).read,
  write: (values) => (values[name] === undefined ? undefined : field(name, form).write(values)),
})

/** A field that follows from others unless it has a value of its own. */
export const derived = (name: string, from: (values: EventValues) => EventValues[string]): Part => ({
  read: (node, values) => {
    const value = textForm.read(node)
    if (value !== undefined && value !== from(values)) values[name] ??= value
  },
  write: (values) => field(name).write({ [name]: values[name] ?? from(values) }),
})

export const always = (node: JsonNode): Part => ({ read: () => undefined, write: () => bare(node) })

export const nested = (shape: Shape): Part => ({
  read: (node, values) => readShape(node, shape, values),
  write: (values) => writeShape(values, shape),
})

/** JSON of any kind but null, as text. */
export const valueForm: Form = {
  read: (node) => (node.kind === 'literal' && node.value === null ? undefined : compactJson(node)),
  write: (value) => {
    const node = jsonOf(value)
    return node && bare(node)
  },
}

/** Reads an object's keys in the order of the shape; of a repeated key the first counts. */
export function readShape(node: JsonNode, shape: Shape, values: EventValues): void {
  for (const [key, part] of shape) {
    const value = member(node, key)
    if (value) part.read(value, values)
  }
}

export function writeShape(values: EventValues, shape: Shape): JsonNode {
  return jsonObject(
    shape.flatMap(([key, part]) => {
      const value = part.write(values)
      return value ? [[key, value] as const] : []
    }),
  )
}

/**
 * The steps of a plan: their descriptions are one field, a list of texts, and what they have beside them another, a list
 * of objects. Steps that have no description or are no objects have no form here.
 */
export const stepList = (keys: readonly string[], ofEvent: Shape): Part => ({
  read: (node, values) => {
    if (node.kind !== 'array') return
    const texts = node.items.flatMap((item) => stringOf(member(item, DESCRIPTION)) ?? [])
    if (texts.length !== node.items.length) return
    values['steps'] = texts
    if (texts.length > 0) values['stepsJson'] = compactJson(jsonArray(node.items.map((item) => ownOf(item, keys))))
  },
  write: (values) => {
    const texts = values['steps']
    const rest = itemsOf(jsonOf(values['stepsJson']))
    const described = Array.isArray(texts) ? texts.map(jsonString) : []
    if (!Array.isArray(texts) && rest.length === 0) return jsonLiteral(null)
    const valueOf = (key: string, index: number): JsonNode | undefined =>
      key === DESCRIPTION ? described[index] : member(rest[index], key)
    return jsonArray(
      Array.from({ length: Math.max(described.length, rest.length) }, (_, index) =>
        jsonObject([
          ...ofEvent.map(([key, part]) => [key, part.write(values) ?? jsonLiteral(null)] as const),
          ...keys.map((key) => [key, bare(valueOf(key, index) ?? jsonLiteral(null))] as const),
        ]),
      ),
    )
  },
})

const DESCRIPTION = 'description'

/** A step's known keys but its description, those that are null left out. */
function ownOf(step: JsonNode, keys: readonly string[]): JsonNode {
  const members: JsonMember[] = keys.flatMap((key) => {
    const value = key === DESCRIPTION ? undefined : member(step, key)
    return !value || (value.kind === 'literal' && value.value === null) ? [] : [{ key: jsonString(key), value }]
  })
  return { kind: 'object', members }
}
