import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** OTLP/JSON as objects: written by the tests, and serialized to a JSON body by `JSON.stringify`. */
export interface AnyValueJson {
  stringValue?: string
  boolValue?: boolean
  intValue?: string
  doubleValue?: number | string
  arrayValue?: { values: AnyValueJson[] }
  kvlistValue?: { values: KeyValueJson[] }
  bytesValue?: string
}
export interface KeyValueJson {
  key?: string
  value?: AnyValueJson
}
export interface SpanJson {
  traceId: string
  spanId: string
  traceState?: string
  parentSpanId?: string
  name: string
  kind?: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: KeyValueJson[]
  droppedAttributesCount?: number
  events?: { timeUnixNano?: string; name?: string; attributes?: KeyValueJson[] }[]
  links?: { traceId?: string; spanId?: string; traceState?: string; attributes?: KeyValueJson[] }[]
  status?: { message?: string; code?: number }
  flags?: number
}
export interface RequestJson {
  resourceSpans: {
    resource?: { attributes?: KeyValueJson[] }
    schemaUrl?: string
    scopeSpans?: {
      scope?: { name?: string; version?: string; attributes?: KeyValueJson[] }
      schemaUrl?: string
      spans?: SpanJson[]
    }[]
  }[]
}

/** The same request as protobuf bytes, with every present field written, including defaults. */
export function encodeRequest(request: RequestJson): Uint8Array {
  const writer = new BinaryWriter()
  for (const { resource, scopeSpans = [], schemaUrl } of request.resourceSpans) {
    message(writer, 1, () => {
      if (resource) message(writer, 1, () => encodeAttributes(writer, 1, resource.attributes))
      for (const { scope, spans = [] } of scopeSpans) {
        message(writer, 2, () => {
          if (scope) {
            message(writer, 1, () => {
              if (scope.name !== undefined) text(writer, 1, scope.name)
              if (scope.version !== undefined) text(writer, 2, scope.version)
              encodeAttributes(writer, 3, scope.attributes)
            })
          }
          for (const span of spans) message(writer, 2, () => encodeSpan(writer, span))
        })
      }
      if (schemaUrl !== undefined) text(writer, 3, schemaUrl)
    })
  }
  return writer.finish()
}

function encodeSpan(writer: BinaryWriter, span: SpanJson): void {
  bytes(writer, 1, Buffer.from(span.traceId, 'hex'))
  bytes(writer, 2, Buffer.from(span.spanId, 'hex'))
  if (span.traceState !== undefined) text(writer, 3, span.traceState)
  if (span.parentSpanId !== undefined) bytes(writer, 4, Buffer.from(span.parentSpanId, 'hex'))
  text(writer, 5, span.name)
  if (span.kind !== undefined) writer.tag(6, WireType.Varint).int32(span.kind)
  writer.tag(7, WireType.Bit64).fixed64(span.startTimeUnixNano)
  writer.tag(8, WireType.Bit64).fixed64(span.endTimeUnixNano)
  encodeAttributes(writer, 9, span.attributes)
  if (span.droppedAttributesCount !== undefined) writer.tag(10, WireType.Varint).uint32(span.droppedAttributesCount)
  for (const event of span.events ?? []) {
    message(writer, 11, () => {
      if (event.timeUnixNano !== undefined) writer.tag(1, WireType.Bit64).fixed64(event.timeUnixNano)
      if (event.name !== undefined) text(writer, 2, event.name)
      encodeAttributes(writer, 3, event.attributes)
    })
  }
  for (const link of span.links ?? []) {
    message(writer, 13, () => {
      if (link.traceId !== undefined) bytes(writer, 1, Buffer.from(link.traceId, 'hex'))
      if (link.spanId !== undefined) bytes(writer, 2, Buffer.from(link.spanId, 'hex'))
      if (link.traceState !== undefined) text(writer, 3, link.traceState)
      encodeAttributes(writer, 4, link.attributes)
    })
  }
  const { status } = span
  if (status) {
    message(writer, 15, () => {
      if (status.message !== undefined) text(writer, 2, status.message)
      if (status.code !== undefined) writer.tag(3, WireType.Varint).int32(status.code)
    })
  }
  if (span.flags !== undefined) writer.tag(16, WireType.Bit32).fixed32(span.flags)
}

export function encodeAttributes(writer: BinaryWriter, field: number, attributes: KeyValueJson[] = []): void {
  for (const { key, value } of attributes) {
    message(writer, field, () => {
      if (key !== undefined) text(writer, 1, key)
      if (value) message(writer, 2, () => encodeValue(writer, value))
    })
  }
}

export function encodeValue(writer: BinaryWriter, value: AnyValueJson): void {
  if (value.stringValue !== undefined) text(writer, 1, value.stringValue)
  if (value.boolValue !== undefined) writer.tag(2, WireType.Varint).bool(value.boolValue)
  if (value.intValue !== undefined) writer.tag(3, WireType.Varint).int64(value.intValue)
  if (value.doubleValue !== undefined) writer.tag(4, WireType.Bit64).double(Number(value.doubleValue))
  const { arrayValue, kvlistValue } = value
  if (arrayValue) {
    message(writer, 5, () => {
      for (const item of arrayValue.values) message(writer, 1, () => encodeValue(writer, item))
    })
  }
  if (kvlistValue) message(writer, 6, () => encodeAttributes(writer, 1, kvlistValue.values))
  if (value.bytesValue !== undefined) bytes(writer, 7, Buffer.from(value.bytesValue, 'base64'))
}

export function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork()
  write()
  writer.join()
}

export const text = (writer: BinaryWriter, field: number, value: string) => {
  writer.tag(field, WireType.LengthDelimited).string(value)
}

export const bytes = (writer: BinaryWriter, field: number, value: Uint8Array) => {
  writer.tag(field, WireType.LengthDelimited).bytes(value)
}
