import type { FieldValue } from '../../../semconv/index.js'
import type { JsonNode } from '../../json/node.js'
import type { Era } from './era.js'
import { PROPERTIES, type ObjectKind, type Property } from './properties.js'

/** The values that an object of a record holds, by the span and the table that they belong to. */
export interface ObjectValues {
  readonly every: Record<string, FieldValue>
  readonly self: Record<string, FieldValue>
  readonly chat: Record<string, FieldValue>
  readonly tool: Record<string, FieldValue>
}

/** Whether an era's objects hold the property as data of their own. */
export function ownsProperty(era: Era, kind: ObjectKind, key: string): boolean {
  if (kind === 'agent' && era.derivedAgentKeys.includes(key)) return false
  return era.firstTool || !(kind === 'thinkAct' && (key === 'toolName' || key === 'toolParameters'))
}

export const propertiesOf = (kind: ObjectKind): Readonly<Record<string, Property>> => PROPERTIES[kind]

export const formOf = (era: Era, { form }: Property) => (typeof form === 'string' ? era.forms[form] : form)

/** Reads an object's mapped keys; of a repeated key the first counts. What has no form here is left to the residual. */
export function readObject(node: JsonNode, kind: ObjectKind, era: Era): ObjectValues {
  const values: ObjectValues = { every: {}, self: {}, chat: {}, tool: {} }
  if (node.kind !== 'object') return values
  const properties = propertiesOf(kind)
  for (const { key, value } of node.members) {
    const property = Object.hasOwn(properties, key.value) ? properties[key.value] : undefined
    if (!property || !ownsProperty(era, kind, key.value)) continue
    const read = formOf(era, property).read(value)
    const home = property.every ? values.every : values[property.on]
    if (read !== undefined) home[property.field] ??= read
  }
  return values
}
