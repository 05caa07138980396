import {
  type AnyField,
  ATTR,
  type AttributeValue,
  type FieldTable,
  toWellFormed,
  instructionsOf,
  messagesOf,
  type Speaker,
} from '../semconv/index.js'
import { jsonText, type JsonText } from './json-text.js'
import type { Omissions } from './omissions.js'

/** A field as the live API writes it: accepts any value from a user, never throws. */
export interface LiveField {
  readonly key: string
  readonly content: boolean
  /** The attribute's value; undefined, and counted, if the value can't be an attribute. */
  readonly encode: (value: unknown, omissions: Omissions) => AttributeValue | undefined
}

/** The fields by option name; undefined for an option that is not a field. */
export type LiveFields = ReadonlyMap<string, LiveField | undefined>

/** Converts a field table for the live API, once per role. `otherOptions` names the options that are not fields. */
export const liveFields = (table: FieldTable, otherOptions: readonly string[] = []): LiveFields =>
  new Map<string, LiveField | undefined>([
    ...otherOptions.map((name) => [name, undefined] as const),
    ...Object.entries(table).map(
      ([name, field]) =>
        [name, { key: field.key, content: field.content, encode: guarded(field.key, encoderOf(field)) }] as const,
    ),
  ])

/** Converts a field table for values that a dialect has read from a system's data: they have their fields' types. */
export const recordedFields = (table: FieldTable): LiveFields =>
  new Map(
    Object.entries(table).map(([name, { key, content, encode }]) => [
      name,
      { key, content, encode: guarded(key, (value) => encode(value as never)) },
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
      // The user's getter, toJSON or Proxy threw.
    }
    if (attribute === undefined) omissions.drop('value', key)
    return attribute
  }

function encoderOf(field: AnyField): Encoder {
  const { key } = field
  const carry = (value: never): AttributeValue | undefined => field.encode(value)
  switch (field.type) {
    case 'string':
      return (value, omissions) => carried(typeof value === 'string' ? value : jsonTextOf(value, key, omissions), carry)
    case 'int':
    case 'double':
      return (value) => (isNumber(value) ? carry(Number(value) as never) : undefined)
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? carry(value as never) : undefined)
    case 'string[]':
      return (value, omissions) => (Array.isArray(value) ? carry(textsOf(value, key, omissions) as never) : undefined)
    case 'JSON':
      if (key === ATTR.systemInstructions)
        return (value, omissions) =>
          carried(isJsonText(value) ? value : counted(instructionsText(value), key, omissions), carry)
      return field.messages === 'text'
        ? (value, omissions) => encodeMessages(value, key, omissions, carry)
        : (value, omissions) => carried(isJsonText(value) ? value : jsonTextOf(value, key, omissions), carry)
  }
}

/** Any value as an attribute's text: text as it is, any other value as JSON; undefined if that fails. */
export function encodeText(key: string, value: unknown, omissions: Omissions): string | undefined {
  const text = typeof value === 'string' ? value : jsonTextOf(value, key, omissions)
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
  const messages = messagesText(value, key === ATTR.inputMessages ? 'user' : 'assistant')
  if (!messages) return carried(jsonTextOf(value, key, omissions), carry)
  const text = counted(messages, key, omissions)
  return text === undefined ? undefined : toWellFormed(text)
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'

/** The text of a value that is not text: its JSON. */
const jsonTextOf = (value: unknown, key: string, omissions: Omissions): string | undefined =>
  counted(jsonText(value), key, omissions)

const textsOf = (values: readonly unknown[], key: string, omissions: Omissions): string[] =>
  values.flatMap((value) => (typeof value === 'string' ? value : (jsonTextOf(value, key, omissions) ?? [])))

function counted({ text, dropped }: JsonText, key: string, omissions: Omissions): string | undefined {
  if (text !== undefined && dropped > 0) omissions.drop('value', `parts of ${key}`, dropped)
  return text
}

/** Whether a value is text that already is a JSON list or object, which is kept as it is. */
function isJsonText(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

/** Returns chat messages as JSON in the format of the GenAI conventions; undefined for invalid messages. */
function messagesText(value: unknown, speaker: Speaker): JsonText | undefined {
  const messages = messagesOf(value, speaker)
  return messages && jsonText(messages)
}

/** The JSON text of system instructions in that form. */
const instructionsText = (value: unknown): JsonText => jsonText(instructionsOf(value))
