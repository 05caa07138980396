import type { AnyValue } from './attribute-text.js'
import type { ProtobufReader, Range } from './protobuf-reader.js'
import { ANY_VALUE, ARRAY_VALUE, KEY_VALUE, type Field, type Message } from './schema.js'

/** Decodes a checked AnyValue, which may be split into several pieces. The last member of the oneof wins. */
export function readProtobufValue(reader: ProtobufReader, ranges: readonly Range[]): AnyValue {
  let value: AnyValue = null
  for (const range of ranges) {
    eachField(reader, ANY_VALUE, range, (field, inner) => {
      value = readMember(reader, field, inner)
    })
  }
  return value
}

function readMember(reader: ProtobufReader, field: Field, [start, end]: Range): AnyValue {
  reader.position = start
  switch (field.kind) {
    case 'string':
      return reader.bytes.toString('utf8', start, end)
    case 'bool':
      return reader.int64(end) !== 0n
    case 'int64':
      return reader.int64(end)
    case 'double':
      return reader.bytes.readDoubleLE(start)
    case 'bytes':
      return reader.bytes.subarray(start, end)
    default:
      return field.message === ARRAY_VALUE
        ? readArray(reader, [start, end])
        : readMap(reader, field.message, [start, end])
  }
}

function readArray(reader: ProtobufReader, range: Range): AnyValue[] {
  const values: AnyValue[] = []
  eachField(reader, ARRAY_VALUE, range, (_field, inner) => values.push(readProtobufValue(reader, [inner])))
  return values
}

function readMap(reader: ProtobufReader, list: Message | undefined, range: Range): Map<string, AnyValue> {
  const map = new Map<string, AnyValue>()
  if (!list) return map
  eachField(reader, list, range, (_field, inner) => {
    let key = ''
    const value: Range[] = []
    eachField(reader, KEY_VALUE, inner, (part, [start, end]) => {
      if (part.kind === 'string') key = reader.bytes.toString('utf8', start, end)
      else value.push([start, end])
    })
    map.set(key, readProtobufValue(reader, value))
  })
  return map
}

/**
 * Visits the known fields of a message with the bytes of their values, without the length of a length-delimited one.
 */
export function eachField(
  reader: ProtobufReader,
  message: Message,
  [start, end]: Range,
  visit: (field: Field, value: Range) => void,
): void {
  reader.position = start
  while (reader.position < end) {
    const tag = reader.tag(end)
    const value = reader.value(tag & 7, end)
    const field = message.byNumber[tag >>> 3]
    if (!field) continue
    visit(field, value)
    reader.position = value[1]
  }
}
