import { WireType, type BinaryWriter } from '@bufbuild/protobuf/wire'

import { attributeType, textListCodec } from '../../semconv/index.js'

const FIELD = { string: 1, bool: 2, int: 3, double: 4, array: 5 } as const
const MAX_INT64 = 2n ** 63n

/** Writes stored attributes as OTLP's, in a repeated field; planspan's own have their types again, others are text. */
export function writeAttributes(
  writer: BinaryWriter,
  field: number,
  attributes: Readonly<Record<string, string>>,
  maxLength: number,
): void {
  for (const [key, text] of Object.entries(attributes)) {
    writer.tag(field, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(key)
    writer.tag(2, WireType.LengthDelimited).fork()
    if (text.length > maxLength || !writeTyped(writer, key, text)) writeText(writer, clip(text, maxLength))
    writer.join().join()
  }
}

/** Writes an AnyValue of its key's type; answers whether the text is one. */
function writeTyped(writer: BinaryWriter, key: string, text: string): boolean {
  switch (attributeType(key)) {
    case 'int': {
      if (!/^-?\d{1,19}$/.test(text)) return false
      const int = BigInt(text)
      if (int >= MAX_INT64 || int < -MAX_INT64) return false
      writer.tag(FIELD.int, WireType.Varint).int64(int)
      return true
    }
    case 'double': {
      // Jaeger's JSON has no NaN and no infinities: it would answer 500 for the whole trace.
      if (text.trim() === '' || !Number.isFinite(Number(text))) return false
      writer.tag(FIELD.double, WireType.Bit64).double(Number(text))
      return true
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') return false
      writer.tag(FIELD.bool, WireType.Varint).bool(text === 'true')
      return true
    case 'string[]':
      return writeTextList(writer, text)
    default:
      return false
  }
}

function writeTextList(writer: BinaryWriter, text: string): boolean {
  const items = textListCodec.decode(text)
  if (!items) return false
  writer.tag(FIELD.array, WireType.LengthDelimited).fork()
  for (const item of items) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writeText(writer, item)
    writer.join()
  }
  writer.join()
  return true
}

const writeText = (writer: BinaryWriter, text: string) =>
  writer.tag(FIELD.string, WireType.LengthDelimited).string(text)

const clip = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)
