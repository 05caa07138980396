/**
 * The kinds of field values. A span without a valid `traceId` and `spanId` is rejected; `id16` and `id8` are ids that
 * may be empty; `time`, `startTime`, `endTime` and `observedTime` are fixed64 nanoseconds.
 */
export type FieldKind =
  | 'message'
  | 'string'
  | 'bytes'
  | 'bool'
  | 'int64'
  | 'double'
  | 'enum'
  | 'uint32'
  | 'fixed32'
  | 'time'
  | 'startTime'
  | 'endTime'
  | 'observedTime'
  | 'traceId'
  | 'spanId'
  | 'id16'
  | 'id8'

/** Protobuf's wire types, without the deprecated groups. */
export const Wire = { varint: 0, fixed64: 1, length: 2, fixed32: 5 } as const

export interface Field {
  readonly number: number
  readonly wire: number
  /** The key of OTLP/JSON. */
  readonly name: string
  /** The key's bytes, to compare with a document's. */
  readonly nameBytes: Uint8Array
  readonly kind: FieldKind
  readonly repeated: boolean
  readonly message: Message | undefined
  /** Whether the signal's table stores the field, so that a rewritten request keeps it. */
  readonly stored: boolean
  /** The names of an enum's values. */
  readonly names: ReadonlyMap<string, number>
}

export interface Message {
  readonly name: string
  readonly fields: readonly Field[]
  readonly byNumber: readonly (Field | undefined)[]
  /** Fields by their OTLP/JSON key, and by their name in the .proto file, which the collector accepts as well. */
  readonly byName: ReadonlyMap<string, Field>
  readonly byLength: readonly (readonly Field[] | undefined)[]
}

interface FieldOptions {
  readonly message?: Message
  readonly repeated?: boolean
  readonly dropped?: boolean
  readonly names?: Readonly<Record<string, number>>
}

const WIRE: Readonly<Record<FieldKind, number>> = {
  message: Wire.length,
  string: Wire.length,
  bytes: Wire.length,
  bool: Wire.varint,
  int64: Wire.varint,
  double: Wire.fixed64,
  enum: Wire.varint,
  uint32: Wire.varint,
  fixed32: Wire.fixed32,
  time: Wire.fixed64,
  startTime: Wire.fixed64,
  endTime: Wire.fixed64,
  observedTime: Wire.fixed64,
  traceId: Wire.length,
  spanId: Wire.length,
  id16: Wire.length,
  id8: Wire.length,
}

export const field = (number: number, name: string, kind: FieldKind, options: FieldOptions = {}): Field => ({
  number,
  wire: WIRE[kind],
  name,
  nameBytes: Buffer.from(name),
  kind,
  repeated: options.repeated ?? false,
  message: options.message,
  stored: !(options.dropped ?? false),
  names: new Map(Object.entries(options.names ?? {})),
})

const camelToSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

interface MutableMessage extends Message {
  readonly fields: Field[]
  readonly byNumber: (Field | undefined)[]
  readonly byName: Map<string, Field>
  readonly byLength: (Field[] | undefined)[]
}

const declare = (name: string): MutableMessage => ({ name, fields: [], byNumber: [], byName: new Map(), byLength: [] })

function define(message: MutableMessage, fields: readonly Field[]): Message {
  for (const each of fields) {
    message.fields.push(each)
    message.byNumber[each.number] = each
    message.byName.set(each.name, each).set(camelToSnake(each.name), each)
    ;(message.byLength[each.name.length] ??= []).push(each)
  }
  return message
}

export const message = (name: string, fields: readonly Field[]) => define(declare(name), fields)

// AnyValue is recursive, so it is declared before its parts and defined after them.
const anyValue = declare('AnyValue')
export const KEY_VALUE = message('KeyValue', [
  field(1, 'key', 'string'),
  field(2, 'value', 'message', { message: anyValue }),
])
export const ARRAY_VALUE = message('ArrayValue', [field(1, 'values', 'message', { message: anyValue, repeated: true })])
export const KEY_VALUE_LIST = message('KeyValueList', [
  field(1, 'values', 'message', { message: KEY_VALUE, repeated: true }),
])

export const ANY_VALUE = define(anyValue, [
  field(1, 'stringValue', 'string'),
  field(2, 'boolValue', 'bool'),
  field(3, 'intValue', 'int64'),
  field(4, 'doubleValue', 'double'),
  field(5, 'arrayValue', 'message', { message: ARRAY_VALUE }),
  field(6, 'kvlistValue', 'message', { message: KEY_VALUE_LIST }),
  field(7, 'bytesValue', 'bytes'),
])
