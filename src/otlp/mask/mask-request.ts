import { create, fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import { createRedactor, type Redactor } from '../../redaction/index.js'
import type { Encoding } from '../request.js'
import { SIGNAL_RULES, type Signal } from '../signal.js'
import {
  AnyValueSchema,
  KeyValueSchema,
  LogRecordSchema,
  SpanSchema,
  type AnyValue,
  type KeyValue,
} from '../trace_pb.js'
import { maskItem, maskText, ValueMask, type ItemHolder, type Member, type ValueShape } from './mask-item.js'

const redactor = createRedactor()

/**
 * Masks the secrets in the spans or log records of a well-formed request and lists the masked fields in
 * `planspan.redacted_fields`. Returns the same bytes if there are no secrets.
 */
export const maskRequest = (encoding: Encoding, body: Uint8Array, signal: Signal = 'traces'): Uint8Array =>
  encoding === 'json' ? maskJson(body, redactor, signal) : maskProtobuf(body, redactor, signal)

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

type JsonRequest = Readonly<Record<string, readonly JsonResource[] | undefined>>
type JsonResource = { readonly resource?: Described } & Readonly<Record<string, readonly JsonScope[] | undefined>>
type JsonScope = { readonly scope?: Described } & Readonly<Record<string, readonly ItemHolder<JsonValue>[] | undefined>>

interface Described {
  name?: string
  version?: string
  readonly attributes?: Member<JsonValue>[]
}

const SNAKE_CASE = /"(?:resource|scope|log)_[a-z]|"(?:string|array|kvlist|trace)_[a-z]/

/** A request with its fields in camel case: OTLP/JSON permits both. Keys of attributes are values, so they stay. */
function inCamelCase<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(inCamelCase) as Value
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    inCamelCase<unknown>(member),
  ])
  return Object.fromEntries(members) as Value
}

const maskScope = (scope: Described, redactor: Redactor): boolean => {
  const isMasked = maskText(scope, 'name', redactor)
  return maskText(scope, 'version', redactor) || isMasked
}

/** Masks the secrets of a checked request. Returns the same bytes if there are no secrets. */
function maskJson(body: Uint8Array, redactor: Redactor, signal: Signal): Uint8Array {
  const text = new TextDecoder().decode(body)
  const parsed = JSON.parse(text) as JsonRequest
  const request = SNAKE_CASE.test(text) ? inCamelCase(parsed) : parsed
  const { keys } = SIGNAL_RULES[signal].schema
  const mask = new ValueMask(redactor, JSON_SHAPE)
  let isMasked = false
  for (const inResource of request[keys.resources] ?? []) {
    if (mask.attributes(inResource.resource?.attributes).length > 0) isMasked = true
    for (const inScope of inResource[keys.scopes] ?? []) {
      if (inScope.scope && maskScope(inScope.scope, redactor)) isMasked = true
      if (mask.attributes(inScope.scope?.attributes).length > 0) isMasked = true
      for (const item of inScope[keys.items] ?? []) if (maskItem(item, mask, JSON_SHAPE)) isMasked = true
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
function maskProtobuf(body: Uint8Array, redactor: Redactor, signal: Signal): Uint8Array {
  const mask = new ValueMask(redactor, PROTOBUF_SHAPE)
  const attribute: Change = (bytes) =>
    changed(KeyValueSchema, bytes, (one) => mask.attributes([one as Member<AnyValue>]).length > 0)
  const item: Change = (bytes) =>
    changed(signal === 'logs' ? LogRecordSchema : SpanSchema, bytes, (one) =>
      maskItem(one as unknown as ItemHolder<AnyValue>, mask, PROTOBUF_SHAPE),
    )
  const resource = inFields([1, attribute])
  const text: Change = (bytes) => {
    const before = new TextDecoder().decode(bytes)
    const masked = redactor.text(before)
    return masked === before ? bytes : new TextEncoder().encode(masked)
  }
  const scope = inFields([1, text], [2, text], [3, attribute])
  const inScope = inFields([1, scope], [2, item])
  const inResource = inFields([1, resource], [2, inScope])
  return inFields([1, inResource])(body)
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
