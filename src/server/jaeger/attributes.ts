import type { MessageInitShape } from '@bufbuild/protobuf'

import { attributeText, type AnyValue } from '../../otlp/index.js'
import type { AnyValue as AnyValueMessage, AnyValueSchema, KeyValue, KeyValueSchema } from '../../otlp/trace_pb.js'
import { attributeType, textListCodec } from '../../semconv/index.js'

type Value = NonNullable<MessageInitShape<typeof AnyValueSchema>['value']>

const MAX_INT64 = 2n ** 63n

/** Converts stored attributes to OTLP's: known keys get their types back, all others are text. */
export const toKeyValues = (
  attributes: Readonly<Record<string, string>>,
  maxLength: number,
): MessageInitShape<typeof KeyValueSchema>[] =>
  Object.entries(attributes).map(([key, text]) => {
    const value = (text.length <= maxLength && typedValue(key, text)) || textValue(clip(text, maxLength))
    return { key, value: { value } }
  })

/** Parses a stored text as the type of its attribute; undefined if it does not fit. */
function typedValue(key: string, text: string): Value | undefined {
  switch (attributeType(key)) {
    case 'int': {
      if (!/^-?\d{1,19}$/.test(text)) return undefined
      const value = BigInt(text)
      return value < MAX_INT64 && value >= -MAX_INT64 ? { case: 'intValue', value } : undefined
    }
    case 'double':
      // Jaeger's JSON has no NaN or infinity: it would answer 500 for the whole trace.
      if (text.trim() === '' || !Number.isFinite(Number(text))) return undefined
      return { case: 'doubleValue', value: Number(text) }
    case 'boolean':
      return text === 'true' || text === 'false' ? { case: 'boolValue', value: text === 'true' } : undefined
    case 'string[]': {
      const items = textListCodec.decode(text)
      return items && { case: 'arrayValue', value: { values: items.map((item) => ({ value: textValue(item) })) } }
    }
    default:
      return undefined
  }
}

const textValue = (value: string): Value => ({ case: 'stringValue', value })

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
