import { attributeText, type AnyValue } from '../../otlp/index.js'
import {
  AnyValueSchema,
  ArrayValueSchema,
  KeyValueSchema,
  type AnyValue as AnyValueMessage,
  type KeyValue,
} from '../../otlp/trace_pb.js'
import { attributeType, textListCodec } from '../../semconv/index.js'
import { fieldNumbers, type WireWriter } from './wire-writer.js'

const KEY_VALUE = fieldNumbers(KeyValueSchema)
const ANY_VALUE = fieldNumbers(AnyValueSchema)
const ARRAY_VALUE = fieldNumbers(ArrayValueSchema)

const MAX_INT64 = 2n ** 63n

/** Writes one value of an attribute: a field of the message AnyValue. */
type WriteValue = (writer: WireWriter) => void

/** Writes stored attributes as a field of OTLP: known keys have their original types, all others are text. */
export function writeAttributes(
  writer: WireWriter,
  field: number,
  attributes: Readonly<Record<string, string>>,
  maxLength: number,
): void {
  for (const [key, text] of Object.entries(attributes)) {
    const value = (text.length <= maxLength && typedValue(key, text)) || textValue(clip(text, maxLength))
    writeAttribute(writer, field, key, value)
  }
}

/** Writes one attribute of known type. */
export const writeAttribute = (writer: WireWriter, field: number, key: string, value: WriteValue): void =>
  writer.message(field, () => {
    writer.text(KEY_VALUE.key, key)
    writer.message(KEY_VALUE.value, () => value(writer))
  })

/** Parses a stored text as the type of its attribute; undefined if it does not fit. */
function typedValue(key: string, text: string): WriteValue | undefined {
  switch (attributeType(key)) {
    case 'int': {
      if (!/^-?\d{1,19}$/.test(text)) return undefined
      const value = BigInt(text)
      if (value >= MAX_INT64 || value < -MAX_INT64) return undefined
      return (writer) => writer.int64(ANY_VALUE.intValue, value)
    }
    case 'double':
      // Jaeger's JSON has no NaN or infinity: Jaeger would respond with 500 for the whole trace.
      if (text.trim() === '' || !Number.isFinite(Number(text))) return undefined
      return (writer) => writer.double(ANY_VALUE.doubleValue, Number(text))
    case 'boolean':
      return text === 'true' || text === 'false' ? booleanValue(text === 'true') : undefined
    case 'string[]': {
      const items = textListCodec.decode(text)
      return items && textListValue(items)
    }
    default:
      return undefined
  }
}

const textValue =
  (text: string): WriteValue =>
  (writer) =>
    writer.text(ANY_VALUE.stringValue, text)

export const booleanValue =
  (value: boolean): WriteValue =>
  (writer) =>
    writer.number(ANY_VALUE.boolValue, Number(value))

export const textListValue =
  (items: readonly string[]): WriteValue =>
  (writer) =>
    writer.message(ANY_VALUE.arrayValue, () => {
      for (const item of items) writer.message(ARRAY_VALUE.values, () => textValue(item)(writer))
    })

const clip = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)

/** Attributes as the store holds them: key → text. */
export const storedTexts = (attributes: readonly KeyValue[]): Map<string, string> =>
  new Map(attributes.map(({ key, value }) => [key, attributeText(toAnyValue(value))]))

function toAnyValue(message: AnyValueMessage | undefined): AnyValue {
  if (message?.value.case === undefined) return null
  const { case: kind, value } = message.value
  switch (kind) {
    case 'arrayValue':
      return value.values.map(toAnyValue)
    case 'kvlistValue':
      return new Map(value.values.map(({ key, value }) => [key, toAnyValue(value)]))
    default:
      return value
  }
}
