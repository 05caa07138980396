import { create, fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import { createRedactor, type Redactor } from '../../redaction/index.js'
import type { Encoding } from '../request.js'
import { AnyValueSchema, KeyValueSchema, SpanSchema, type AnyValue, type KeyValue } from '../trace_pb.js'
import { maskSpan, ValueMask, type SpanHolder, type Member, type ValueShape } from './mask-span.js'

const redactor = createRedactor()

/**
 * Masks the secrets in the spans of a well-formed request and lists the masked fields in `planspan.redacted_fields`.
 * Returns the same bytes if there are no secrets.
 */
export const maskRequest = (encoding: Encoding, body: Uint8Array): Uint8Array =>
  (encoding === 'json' ? maskJson : maskProtobuf)(body, redactor)

interface JsonValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string | number
  readonly doubleValue?: string | number
  readonly arrayValue?: { readonly values?: readonly JsonValue[] }
  readonly kvlistValue?: { readonly values?: readonly Member<JsonValue>[] }
}

const JSON_SHAPE: ValueShape<JsonValue> = {
  parse({ stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue }) {
    if (stringValue !== undefined) return { kind: 'scalar', scalar: stringValue }
    if (boolValue !== undefined) return { kind: 'scalar', scalar: boolValue }
    const number = intValue ?? doubleValue
    if (number !== undefined) return { kind: 'scalar', scalar: Number(number) }
    if (arrayValue) return { kind: 'list', items: arrayValue.values ?? [] }
    if (kvlistValue) return { kind: 'map', members: kvlistValue.values ?? [] }
    return { kind: 'none' }
  },
  ofText: (stringValue) => ({ stringValue }),
  ofItems: (values) => ({ arrayValue: { values } }),
  ofMembers: (values) => ({ kvlistValue: { values } }),
  member: (key, value) => ({ key, value }),
}

interface Described {
  readonly attributes?: Member<JsonValue>[]
}
interface JsonRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: Described
    readonly scopeSpans?: readonly { readonly scope?: Described; readonly spans?: readonly SpanHolder<JsonValue>[] }[]
  }[]
}

/** Masks the secrets of a checked request. Returns the same bytes if there are no secrets. */
function maskJson(body: Uint8Array, redactor: Redactor): Uint8Array {
  const request = JSON.parse(new TextDecoder().decode(body)) as JsonRequest
  const mask = new ValueMask(redactor, JSON_SHAPE)
  let isMasked = false
  for (const { resource, scopeSpans } of request.resourceSpans ?? []) {
    if (mask.attributes(resource?.attributes).length > 0) isMasked = true
    for (const { scope, spans } of scopeSpans ?? []) {
      if (mask.attributes(scope?.attributes).length > 0) isMasked = true
      for (const span of spans ?? []) if (maskSpan(span, mask, JSON_SHAPE)) isMasked = true
    }
  }
  return isMasked ? new TextEncoder().encode(JSON.stringify(request)) : body
}

const PROTOBUF_SHAPE: ValueShape<AnyValue> = {
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
function maskProtobuf(body: Uint8Array, redactor: Redactor): Uint8Array {
  const mask = new ValueMask(redactor, PROTOBUF_SHAPE)
  const attribute: Change = (bytes) =>
    changed(KeyValueSchema, bytes, (one) => mask.attributes([one as Member<AnyValue>]).length > 0)
  const span: Change = (bytes) =>
    changed(SpanSchema, bytes, (one) => maskSpan(one as unknown as SpanHolder<AnyValue>, mask, PROTOBUF_SHAPE))
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
