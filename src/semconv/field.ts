import type { AttributeValue } from './span.js'
import {
  assistantPartsCodec,
  booleanCodec,
  doubleCodec,
  finiteCodec,
  intCodec,
  jsonCodec,
  messageCodec,
  textCodec,
  textListCodec,
  type Codec,
  type FieldValue,
} from './codec.js'

/** One line of a field table: a field of a role, its attribute, and everything that depends on the attribute. */
export interface Field<
  T extends FieldValue = FieldValue,
  Key extends string = string,
  Name extends string = string,
> extends Codec<T> {
  readonly key: Key
  /** The name of the key in code: `ATTR[name]`. */
  readonly name: Name
  readonly brief: string
  /** Whether the field is left out when content capture is off. */
  readonly content: boolean
  /** Whether the field is needed to assemble a plan, so that redaction does not change it. Never content. */
  readonly structural: boolean
  /**
   * Whether the field describes the state of a span, or what is directly below it. Only the last segment of a span has
   * the current value.
   */
  readonly latestOnly: boolean
  /** Whether each segment of a resumed plan has a value of its own, so that the plan has their sum. */
  readonly summed: boolean
  /** The column in the views, if it is not the field's own name. False if each view has the column already. */
  readonly column: string | false | undefined
  /** The column of the span table that ClickHouse fills from the attribute, if any. */
  readonly stored: string | undefined
  /** Whether a stored text has few distinct values. */
  readonly fewValues: boolean
}

export type AnyField = Field<string> | Field<number> | Field<boolean> | Field<readonly string[]>
export type FieldTable = Readonly<Record<string, AnyField>>

/** The values of a table's fields, each optional. */
export type FieldValues<Table extends FieldTable> = {
  readonly [Name in keyof Table]?: Table[Name] extends Field<infer T> ? T | undefined : never
}

interface FieldOptions<Name extends string> {
  /** @default false */
  content?: boolean
  /** @default false */
  structural?: boolean
  /** @default false */
  latestOnly?: boolean
  /** @default false */
  summed?: boolean
  /** @default the field's name in Pascal case */
  column?: string | false
  /** The column in the span table, for fields that spans are often filtered or summed by. @default no column */
  stored?: string
  /** @default false */
  fewValues?: boolean
  /**
   * The name, if the key's default name is taken: `planspan.usage.input_tokens` beside `gen_ai.usage.input_tokens`.
   * @default the key in camel case
   */
  name?: Name
}

/** A key in camel case, without the most common namespaces: `planspan.plan.root_id` → `planRootId`. */
export type CamelCase<Key extends string> = Key extends `gen_ai.${infer Rest}` | `planspan.${infer Rest}`
  ? Joined<Rest>
  : Joined<Key>
type Joined<Text extends string> = Text extends `${infer Head}.${infer Tail}`
  ? `${Joined<Head>}${Capitalize<Joined<Tail>>}`
  : Text extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<Joined<Tail>>}`
    : Text

const camelCase = <Key extends string>(key: Key): CamelCase<Key> =>
  key
    .replace(/^(gen_ai|planspan)\./, '')
    .replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Key>

const fieldOf =
  <T extends FieldValue>(codec: Codec<T>) =>
  <const Key extends string, const Name extends string = CamelCase<Key>>(
    key: Key,
    brief: string,
    options: FieldOptions<Name> = {},
  ): Field<T, Key, Name> => ({
    ...codec,
    key,
    name: options.name ?? (camelCase(key) as unknown as Name),
    brief,
    content: options.content ?? false,
    structural: options.structural ?? false,
    latestOnly: options.latestOnly ?? false,
    summed: options.summed ?? false,
    column: options.column,
    stored: options.stored,
    fewValues: options.fewValues ?? false,
  })

export const text = fieldOf(textCodec)
export const int = fieldOf(intCodec)
export const double = fieldOf(doubleCodec)
export const finite = fieldOf(finiteCodec)
export const boolean = fieldOf(booleanCodec)
export const textList = fieldOf(textListCodec)
export const json = fieldOf(jsonCodec)
export const userMessage = fieldOf(messageCodec('user'))
export const assistantMessage = fieldOf(messageCodec('assistant'))
export const assistantParts = fieldOf(assistantPartsCodec)

/** Reuses the attribute of another line with a different meaning in this table. */
export const again = <const F extends AnyField>(field: F, brief: string, { column }: { column?: string } = {}): F => ({
  ...field,
  brief,
  column,
})

/** Encodes values as attributes. Fields without a value are left out, and content if `content` is false. */
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

/** A cache of a table's entries, because listing them for each span would cost more than reading it. */
function entriesOf(table: FieldTable): readonly (readonly [string, AnyField])[] {
  let list = entries.get(table)
  if (!list) entries.set(table, (list = Object.entries(table)))
  return list
}

/** Decodes values from stored attributes. */
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
