import { type AnyField, ATTR, type AttributeValue, type FieldTable, toWellFormed } from '../semconv/index.js'
import { jsonText, type JsonText } from './json-text.js'
import { messagesText } from './messages.js'
import type { Omissions } from './omissions.js'

/** A field as the live API writes it: takes any value a user may give, never throws. */
export interface LiveField {
  readonly key: string
  readonly content: boolean
  /** The attribute; undefined, and counted, when the value can't be carried. */
  readonly encode: (value: unknown, omissions: Omissions) => AttributeValue | undefined
}

export type LiveFields = ReadonlyMap<string, LiveField>

/** The live form of a field table, made once per role. */
export const liveFields = (table: FieldTable): LiveFields =>
  new Map(
    Object.entries(table).map(([name, field]) => [
      name,
      { key: field.key, content: field.content, encode: guarded(field.key, encoderOf(field)) },
    ]),
  )

type Encoder = LiveField['encode']

const guarded =
  (key: string, encode: Encoder): Encoder =>
  (value, omissions) => {
    let attribute: AttributeValue | undefined
    try {
      attribute = encode(value, omissions)
    } catch {
      // A getter, toJSON or Proxy of the user's threw.
    }
    if (attribute === undefined) omissions.drop('value', key)
    return attribute
  }

function encoderOf(field: AnyField): Encoder {
  const { key } = field
  const carry = (value: never): AttributeValue | undefined => field.encode(value)
  switch (field.type) {
    case 'string':
      return (value, omissions) => carried(typeof value === 'string' ? value : textOf(value, key, omissions), carry)
    case 'int':
    case 'double':
      return (value) => (isNumber(value) ? carry(Number(value) as never) : undefined)
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? carry(value as never) : undefined)
    case 'string[]':
      return (value, omissions) => (Array.isArray(value) ? carry(textsOf(value, key, omissions) as never) : undefined)
    case 'JSON':
      return key === ATTR.inputMessages || key === ATTR.outputMessages
        ? (value, omissions) => encodeMessages(value, key, omissions, carry)
        : (value, omissions) => carried(isJsonText(value) ? value : textOf(value, key, omissions), carry)
  }
}

/** Any value as text that an attribute carries: text as it is, else its JSON text; undefined when it can't be. */
export function encodeText(key: string, value: unknown, omissions: Omissions): string | undefined {
  const text = typeof value === 'string' ? value : textOf(value, key, omissions)
  if (text !== undefined) return toWellFormed(text)
  omissions.drop('value', key)
  return undefined
}

const carried = (text: string | undefined, carry: (text: never) => AttributeValue | undefined) =>
  text === undefined ? undefined : carry(text as never)

function encodeMessages(
  value: unknown,
  key: string,
  omissions: Omissions,
  carry: (text: never) => AttributeValue | undefined,
): AttributeValue | undefined {
  if (typeof value === 'string') return carry(value as never)
  const messages = messagesText(value)
  if (!messages) return carried(textOf(value, key, omissions), carry)
  const text = counted(messages, key, omissions)
  return text === undefined ? undefined : toWellFormed(text)
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'

/** Text of a value that is not text: its JSON text. */
const textOf = (value: unknown, key: string, omissions: Omissions): string | undefined =>
  counted(jsonText(value), key, omissions)

const textsOf = (values: readonly unknown[], key: string, omissions: Omissions): string[] =>
  values.flatMap((value) => (typeof value === 'string' ? value : (textOf(value, key, omissions) ?? [])))

function counted({ text, dropped }: JsonText, key: string, omissions: Omissions): string | undefined {
  if (text !== undefined && dropped > 0) omissions.drop('value', `parts of ${key}`, dropped)
  return text
}

/** Text that already is a JSON list or object is carried as it is. */
function isJsonText(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
