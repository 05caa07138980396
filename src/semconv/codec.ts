import { parseJson } from './parse-json.js'
import type { AttributeValue } from './span.js'

/** The value of a field before it becomes an attribute. */
export type FieldValue = string | number | boolean | readonly string[]

/** The documented type of an attribute: its OTLP type, or JSON text in a string. */
export type AttributeType = 'string' | 'int' | 'double' | 'boolean' | 'string[]' | 'JSON'

/**
 * Converts a value to an attribute and back. `encode` returns undefined for a value that the attribute cannot carry.
 * `decode` reads the text that a stock collector stores for the attribute, and returns undefined for text that this
 * codec does not write.
 */
export interface Codec<T extends FieldValue> {
  readonly type: AttributeType
  /**
   * Set if the JSON contains the GenAI conventions' messages: the value is their text, or the items of the only
   * message.
   */
  readonly messages?: 'text' | 'items'
  encode(value: T): AttributeValue | undefined
  decode(text: string): T | undefined
}

/** Replaces lone surrogates, which UTF-8 cannot encode, by U+FFFD in the same place. */
export const toWellFormed = (text: string): string => text.toWellFormed()

export const textCodec: Codec<string> = { type: 'string', encode: toWellFormed, decode: (text) => text }

/** JSON as text, written unchanged. */
export const jsonCodec: Codec<string> = { type: 'JSON', encode: toWellFormed, decode: (text) => text }

export const intCodec: Codec<number> = {
  type: 'int',
  encode: (value) => (Number.isSafeInteger(value) ? value : undefined),
  decode: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
}

/**
 * Infinities, NaN and whole numbers beyond 2^53 are sent as text. As doubles, Jaeger would respond 500 to the whole
 * trace; as whole numbers, the SDK would turn them into ints.
 */
export const doubleCodec: Codec<number> = {
  type: 'double',
  encode: (value) =>
    Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? value : String(value),
  decode: (text) =>
    text === 'NaN' ? Number.NaN : text !== '' && !Number.isNaN(Number(text)) ? Number(text) : undefined,
}

/** A number for readers of the conventions. A value that is no double has no attribute. */
export const finiteCodec: Codec<number> = {
  ...doubleCodec,
  encode: (value) => {
    const encoded = doubleCodec.encode(value)
    return typeof encoded === 'number' ? encoded : undefined
  },
}

export const booleanCodec: Codec<boolean> = {
  type: 'boolean',
  encode: (value) => value,
  decode: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

export const textListCodec: Codec<readonly string[]> = {
  type: 'string[]',
  encode: (value) => value.map(toWellFormed),
  decode: (text) => {
    const parsed = parseJson(text)
    return Array.isArray(parsed) && parsed.every((item) => typeof item === 'string') ? parsed : undefined
  },
}

/** One text as the GenAI conventions' messages: `[{"role":…,"parts":[{"type":"text","content":…}]}]`. */
export const messageCodec = (role: 'user' | 'assistant'): Codec<string> => ({
  type: 'JSON',
  messages: 'text',
  encode: (content) => JSON.stringify([{ role, parts: [{ type: 'text', content: toWellFormed(content) }] }]),
  decode: (text) => {
    const messages = parseJson(text)
    return Array.isArray(messages) ? messages.flatMap(textParts).join('\n') : undefined
  },
})

const PARTS_HEAD = '[{"role":"assistant","parts":'
const PARTS_TAIL = '}]'

/**
 * JSON text of a list of items, each with a `type`, as the parts of one message. Undefined for the conventions' own
 * parts.
 */
export const assistantPartsCodec: Codec<string> = {
  type: 'JSON',
  messages: 'items',
  encode: (items) => `${PARTS_HEAD}${toWellFormed(items)}${PARTS_TAIL}`,
  decode: (text) => {
    if (!text.startsWith(PARTS_HEAD) || !text.endsWith(PARTS_TAIL)) return undefined
    const items = text.slice(PARTS_HEAD.length, -PARTS_TAIL.length)
    const parts = parseJson(items)
    return Array.isArray(parts) && !parts.some(isOwnPart) ? items : undefined
  },
}

const OWN_PARTS: ReadonlySet<unknown> = new Set(['tool_call', 'tool_call_response'])

const isOwnPart = (part: unknown): boolean =>
  isRecord(part) &&
  (OWN_PARTS.has(part['type']) ||
    ((part['type'] === 'text' || part['type'] === 'reasoning') && typeof part['content'] === 'string'))

function textParts(message: unknown): string[] {
  if (!isRecord(message) || !Array.isArray(message['parts'])) return []
  return message['parts'].flatMap((part: unknown) => {
    if (!isRecord(part)) return []
    const { type, content } = part
    if (type === 'text' && typeof content === 'string') return [content]
    return type === 'message' && Array.isArray(content) ? content.flatMap(outputText) : []
  })
}

/** Returns the texts of an item of a Responses API message. */
const outputText = (item: unknown): string[] =>
  isRecord(item) && typeof item['text'] === 'string' ? [item['text']] : []

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
