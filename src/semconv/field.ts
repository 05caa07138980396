import type { AttributeValue } from './span.js'
import {
  assistantPartsCodec,
  booleanCodec,
  doubleCodec,
  intCodec,
  jsonCodec,
  messageCodec,
  textCodec,
  textListCodec,
  type Codec,
  type FieldValue,
} from './codec.js'

/** One line of a field table: a field of a role ⇄ an attribute. */
export interface Field<T extends FieldValue = FieldValue> extends Codec<T> {
  readonly key: string
  /** Content is left out when content capture is off. */
  readonly content: boolean
  readonly brief: string
}

export type AnyField = Field<string> | Field<number> | Field<boolean> | Field<readonly string[]>
export type FieldTable = Readonly<Record<string, AnyField>>

/** The values of a table's fields, each optional. */
export type FieldValues<Table extends FieldTable> = {
  readonly [Name in keyof Table]?: Table[Name] extends Field<infer T> ? T | undefined : never
}

interface FieldOptions {
  /** @default false */
  content?: boolean
}

const fieldOf =
  <T extends FieldValue>(codec: Codec<T>) =>
  (key: string, brief: string, { content = false }: FieldOptions = {}): Field<T> => ({ ...codec, key, brief, content })

export const text = fieldOf(textCodec)
export const int = fieldOf(intCodec)
export const double = fieldOf(doubleCodec)
export const boolean = fieldOf(booleanCodec)
export const textList = fieldOf(textListCodec)
export const json = fieldOf(jsonCodec)
export const userMessage = fieldOf(messageCodec('user'))
export const assistantMessage = fieldOf(messageCodec('assistant'))
export const assistantParts = fieldOf(assistantPartsCodec)

/** The attributes of some values; fields without a value, and content when `content` is false, are left out. */
export function encodeFields<Table extends FieldTable>(
  table: Table,
  values: FieldValues<Table>,
  { content = true }: { content?: boolean } = {},
): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {}
  for (const name in values) {
    const value: FieldValue | undefined = values[name]
    const field = table[name] as Field | undefined
    if (value === undefined || !field || (field.content && !content)) continue
    const attribute = field.encode(value)
    if (attribute !== undefined) attributes[field.key] = attribute
  }
  return attributes
}

const entries = new WeakMap<FieldTable, readonly (readonly [string, AnyField])[]>()

/** A table's lines; listing them anew for each span would cost more than reading it. */
function entriesOf(table: FieldTable): readonly (readonly [string, AnyField])[] {
  let list = entries.get(table)
  if (!list) entries.set(table, (list = Object.entries(table)))
  return list
}

/** The values that stand in some stored attributes. */
export function decodeFields<Table extends FieldTable>(
  table: Table,
  attributes: Readonly<Record<string, string>>,
): FieldValues<Table> {
  const values: Record<string, FieldValue> = {}
  for (const [name, field] of entriesOf(table)) {
    const stored = attributes[field.key]
    const value = stored === undefined ? undefined : field.decode(stored)
    if (value !== undefined) values[name] = value
  }
  return values as FieldValues<Table>
}
