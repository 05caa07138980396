import { parseJson } from './parse-json.js'
import type { AttributeValue } from './span.js'

/** The value of a field before it becomes an attribute. */
export type FieldValue = string | number | boolean | readonly string[]

/** How an attribute is documented: its OTLP type, or JSON text in a string. */
export type AttributeType = 'string' | 'int' | 'double' | 'boolean' | 'string[]' | 'JSON'

/**
 * A value ⇄ an attribute. `encode` answers undefined for a value that the attribute can't carry; `decode` takes the
 * text that a stock collector stores for the attribute and answers undefined where it is none of this codec's.
 */
export interface Codec<T extends FieldValue> {
  readonly type: AttributeType
  /**
   * Set where the JSON is the GenAI conventions' messages: the value is their text, or the items of the one message.
   */
  readonly messages?: 'text' | 'items'
  encode(value: T): AttributeValue | undefined
  decode(text: string): T | undefined
}

/** UTF-8 can't carry a lone surrogate: each becomes U+FFFD, in the same place. */
export const toWellFormed = (text: string): string => text.toWellFormed()

export const textCodec: Codec<string> = { type: 'string', encode: toWellFormed, decode: (text) => text }

/** JSON as text. The text is written as it is: the one who sets it has made it. */
export const jsonCodec: Codec<string> = { type: 'JSON', encode: toWellFormed, decode: (text) => text }

export const intCodec: Codec<number> = {
  type: 'int',
  encode: (value) => (Number.isSafeInteger(value) ? value : undefined),
  decode: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
}

/**
 * NaN and the infinities travel as text: as doubles they make Jaeger answer 500 for the whole trace. So do whole
 * numbers beyond 2^53: the SDK would make ints of them.
 */
export const doubleCodec: Codec<number> = {
  type: 'double',
  encode: (value) =>
    Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? value : String(value),
  decode: (text) =>
    text === 'NaN' ? Number.NaN : text !== '' && !Number.isNaN(Number(text)) ? Number(text) : undefined,
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
 * JSON text of a list of items with a `type` each, as the parts of one message. Undefined where the parts are the
 * conventions' own.
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

/** The text of an item of a Responses API message. */
const outputText = (item: unknown): string[] =>
  isRecord(item) && typeof item['text'] === 'string' ? [item['text']] : []

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
