import { attributeText } from './attribute-text.js'
import { ByteWriter } from './byte-writer.js'
import { ProtobufReader, type Range } from './protobuf-reader.js'
import { eachField, readProtobufValue } from './decode-protobuf-value.js'
import { hasOffset, indexFrom, type CheckedRequest } from './request.js'
import type { RequestSchema } from './request-schema.js'
import { ANY_VALUE, Wire, type Field, type Message } from './schema.js'
import { SIGNAL_RULES } from './signal.js'

/**
 * Rewrites a checked protobuf request so that ClickHouse reads it correctly: arrays, maps, bytes and unusual doubles as
 * text; split messages merged; all-zero ids emptied; and only the items for whose index `keep` returns true, if it is
 * given. Unchanged parts are copied.
 */
export function rewriteProtobuf(request: CheckedRequest, keep?: (span: number) => boolean): Uint8Array {
  const rewrite = new ProtobufRewrite(request, keep)
  rewrite.document()
  return rewrite.writer.finish()
}

class ProtobufRewrite {
  readonly writer: ByteWriter
  private readonly reader: ProtobufReader
  private readonly request: CheckedRequest
  private readonly schema: RequestSchema
  private readonly keep: ((span: number) => boolean) | undefined
  private item = 0

  constructor(request: CheckedRequest, keep: ((span: number) => boolean) | undefined) {
    this.writer = new ByteWriter(request.body.length * 1.25)
    this.reader = new ProtobufReader(request.body)
    this.request = request
    this.schema = SIGNAL_RULES[request.signal].schema
    this.keep = keep
  }

  document(): void {
    const { body, marks } = this.request
    const { request } = this.schema
    if (this.keep || marks.length > 0) this.message(request, [[0, body.length]])
    else this.withText(request, 0, body.length)
  }

  /** Rewrites the fields of a message that the tables store. */
  private message(message: Message, ranges: readonly Range[]): void {
    const last = new Map<Field, Range>()
    const pieces = new Map<Field, Range[]>()
    for (const range of ranges) {
      eachField(this.reader, message, range, (field, value) => {
        if (!field.stored) return
        if (field.kind !== 'message') last.set(field, value)
        else if (!field.repeated) {
          const found = pieces.get(field)
          if (found) found.push(value)
          else pieces.set(field, [value])
        } else if (field.message !== this.schema.item || this.keep?.(this.item++) !== false)
          this.submessage(field, [value])
      })
    }
    for (const [field, value] of last) this.scalar(field, value)
    for (const [field, found] of pieces) this.submessage(field, found)
  }

  private submessage(field: Field, ranges: readonly Range[]): void {
    const { message } = field
    const [first] = ranges
    if (!message || !first) return
    const { marks, values } = this.request
    const isWhole =
      ranges.length === 1 && !(this.keep && this.schema.holders.has(message)) && !hasOffset(marks, ...first)
    this.writer.varint((field.number << 3) | Wire.length)
    if (isWhole && !hasOffset(values, ...first)) {
      this.writer.varint(first[1] - first[0])
      return this.writer.copy(this.reader.bytes, ...first)
    }
    const start = this.writer.openLength()
    if (message === ANY_VALUE) this.value(ranges)
    else if (isWhole) this.withText(message, ...first)
    else this.message(message, ranges)
    this.writer.closeLength(start)
  }

  /** Copies a message, changing attribute values only. */
  private withText(message: Message, start: number, end: number): void {
    const { reader, writer } = this
    const { values } = this.request
    let next = indexFrom(values, start)
    let copied = start
    reader.position = start
    while (reader.position < end) {
      const tagStart = reader.position
      const tag = reader.tag(end)
      if ((tag & 7) !== Wire.length) {
        reader.skip(tag & 7, end)
        continue
      }
      const fieldEnd = reader.length(end) + reader.position
      const inner = message.byNumber[tag >>> 3]?.message
      if (inner && (values[next] ?? end) < fieldEnd) {
        const from = reader.position
        writer.copy(reader.bytes, copied, tagStart)
        writer.varint(tag)
        const lengthStart = writer.openLength()
        if (inner === ANY_VALUE) this.value([[from, fieldEnd]])
        else this.withText(inner, from, fieldEnd)
        writer.closeLength(lengthStart)
        next = indexFrom(values, fieldEnd)
        copied = fieldEnd
      }
      reader.position = fieldEnd
    }
    writer.copy(reader.bytes, copied, end)
  }

  /** Writes an attribute's value as text, as the tables store it. */
  private value(ranges: readonly Range[]): void {
    this.writer.byte((1 << 3) | Wire.length)
    const start = this.writer.openLength()
    this.writer.text(attributeText(readProtobufValue(this.reader, ranges)))
    this.writer.closeLength(start)
  }

  private scalar(field: Field, [start, end]: Range): void {
    const { bytes } = this.reader
    if (field.kind === 'id16' || field.kind === 'id8') {
      if (bytes.subarray(start, end).every((byte) => byte === 0)) return
    }
    this.writer.varint((field.number << 3) | field.wire)
    if (field.kind === 'enum') {
      this.reader.position = start
      return this.writer.int32(Number(BigInt.asIntN(32, this.reader.int64(end))))
    }
    if (field.wire === Wire.length) this.writer.varint(end - start)
    this.writer.copy(bytes, start, end)
  }
}
