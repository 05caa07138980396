import { create, fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import type { Redactor } from '../../redaction/index.js'
import { AnyValueSchema, KeyValueSchema, SpanSchema, type AnyValue, type KeyValue } from '../trace_pb.js'
import { maskSpan, type SpanHolder } from './mask-span.js'
import { ValueMask, type Member, type ValueShape } from './mask-value.js'

const SHAPE: ValueShape<AnyValue> = {
  parse({ value }) {
    switch (value.case) {
      case 'stringValue':
      case 'boolValue':
      case 'doubleValue':
        return { kind: 'scalar', scalar: value.value }
      case 'intValue':
        return { kind: 'scalar', scalar: Number(value.value) }
      case 'arrayValue':
        return { kind: 'list', items: value.value.values }
      case 'kvlistValue':
        return { kind: 'map', members: value.value.values }
      default:
        return { kind: 'none' }
    }
  },
  ofText: (value) => create(AnyValueSchema, { value: { case: 'stringValue', value } }),
  ofItems: (values) => create(AnyValueSchema, { value: { case: 'arrayValue', value: { values: [...values] } } }),
  ofMembers: (members) =>
    create(AnyValueSchema, { value: { case: 'kvlistValue', value: { values: members.map(keyValue) } } }),
  member: (key, value) => keyValue({ key, value }),
}

const keyValue = ({ key = '', value }: Member<AnyValue>): KeyValue =>
  create(KeyValueSchema, { key, ...(value && { value }) })

type Change = (bytes: Uint8Array) => Uint8Array

/** Masks the secrets of a checked request. Returns the same bytes if there are no secrets. */
export function maskProtobuf(body: Uint8Array, redactor: Redactor): Uint8Array {
  const mask = new ValueMask(redactor, SHAPE)
  const attribute: Change = (bytes) =>
    changed(KeyValueSchema, bytes, (one) => mask.attributes([one as Member<AnyValue>]).length > 0)
  const span: Change = (bytes) =>
    changed(SpanSchema, bytes, (one) => maskSpan(one as unknown as SpanHolder<AnyValue>, mask, SHAPE))
  const resource = inFields([1, attribute])
  const scope = inFields([3, attribute])
  const scopeSpans = inFields([1, scope], [2, span])
  const resourceSpans = inFields([1, resource], [2, scopeSpans])
  return inFields([1, resourceSpans])(body)
}

/** Lets a function change a message. Returns the same bytes if it changes nothing. */
function changed<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
  change: (message: MessageShape<Schema>) => boolean,
): Uint8Array {
  const message = fromBinary(schema, bytes)
  return change(message) ? toBinary(schema, message) : bytes
}

/** Changes the bytes of some fields of a message, and copies all other fields. */
const inFields =
  (...changes: readonly (readonly [field: number, change: Change])[]): Change =>
  (bytes) =>
    changeFields(bytes, new Map(changes))

function changeFields(bytes: Uint8Array, changes: ReadonlyMap<number, Change>): Uint8Array {
  const reader = new BinaryReader(bytes)
  const pieces: Uint8Array[] = []
  let isSame = true
  while (reader.pos < reader.len) {
    const from = reader.pos
    const [field, type] = reader.tag()
    const change = type === WireType.LengthDelimited ? changes.get(field) : undefined
    if (!change) {
      reader.skip(type, field)
      pieces.push(bytes.subarray(from, reader.pos))
      continue
    }
    const before = reader.bytes()
    const after = change(before)
    if (after === before) pieces.push(bytes.subarray(from, reader.pos))
    else {
      isSame = false
      pieces.push(new BinaryWriter().tag(field, type).bytes(after).finish())
    }
  }
  return isSame ? bytes : Buffer.concat(pieces)
}
