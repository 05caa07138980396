import { isUtf8 } from 'node:buffer'
import { ProtobufReader } from './protobuf-reader.js'
import { MAX_DEPTH, PartCount, refuseDepth } from './limits.js'
import { malformed, type CheckOptions, type CheckResult } from './request.js'
import { RESOURCE } from './request-schema.js'
import { ANY_VALUE, ARRAY_VALUE, KEY_VALUE_LIST, type Field, type Message } from './schema.js'
import { SIGNAL_RULES } from './signal.js'
import { ItemVerdict } from './item-verdict.js'

/**
 * Checks a request of a signal as protobuf by its tags and lengths: each field inside its message, known fields with
 * their wire type, strings as UTF-8. A malformed body is an error as a whole; a span or a log record with an invalid
 * value is rejected by itself.
 */
export function checkProtobuf(body: Uint8Array, options: CheckOptions = {}): CheckResult {
  const { signal = 'traces' } = options
  const { request, item } = SIGNAL_RULES[signal].schema
  const check = new ProtobufCheck(body, item, options)
  try {
    check.message(request, body.length, 0)
  } catch (error) {
    return malformed(error)
  }
  const { count, refused, values, marks, resource, verdict } = check
  const { spans: spanCount, parts } = count
  const { refusedFor, ends } = verdict
  return {
    ok: true,
    request: {
      signal,
      encoding: 'protobuf',
      body,
      spanCount,
      parts,
      refused,
      refusedFor,
      ends,
      values,
      marks,
      resource,
    },
  }
}

class ProtobufCheck extends ProtobufReader {
  readonly count: PartCount
  readonly refused = new Map<number, string>()
  readonly values: number[] = []
  readonly marks: number[] = []
  resource: Uint8Array | undefined
  readonly verdict: ItemVerdict
  private readonly itemMessage: Message

  constructor(body: Uint8Array, itemMessage: Message, options: CheckOptions) {
    super(body)
    this.itemMessage = itemMessage
    this.count = new PartCount(options)
    this.verdict = new ItemVerdict(options)
  }

  message(message: Message, end: number, depth: number): void {
    let seen = 0
    while (this.position < end) {
      const start = this.position
      const tag = this.tag(end)
      const field = message.byNumber[tag >>> 3]
      if (!field) {
        this.skip(tag & 7, end)
        continue
      }
      if ((tag & 7) !== field.wire) {
        this.fail(`${message.name}.${field.name} has wire type ${tag & 7} instead of ${field.wire}`)
      }
      if (!field.repeated) {
        // ClickHouse neither merges a message that occurs twice nor clears the other members of a oneof.
        if (message === ANY_VALUE ? seen !== 0 : (seen & (1 << field.number)) !== 0) this.mark(start)
        seen |= 1 << field.number
      }
      this.field(field, start, end, depth)
    }
  }

  private mark(position: number): void {
    this.count.mark(this.marks, position)
  }

  private field(field: Field, start: number, end: number, depth: number): void {
    switch (field.kind) {
      case 'message':
        return this.nested(field, start, end, depth)
      case 'string':
        return this.text(field, this.length(end))
      case 'bytes':
        this.mark(start)
        return this.advance(this.length(end), end)
      case 'traceId':
        return this.verdict.setTraceId(this.id(16, end))
      case 'spanId':
        return this.verdict.setSpanId(this.id(8, end))
      case 'id16':
        return this.optionalId(field, 16, start, end)
      case 'id8':
        return this.optionalId(field, 8, start, end)
      case 'startTime':
      case 'endTime':
      case 'observedTime':
      case 'time':
        return this.time(field, end)
      case 'double':
        this.advance(8, end)
        if (!(Math.abs(this.bytes.readDoubleLE(this.position - 8)) < 1e21)) this.mark(start)
        return
      case 'bool':
        if (this.varint(end) > 1) this.mark(start)
        return
      case 'enum':
        if (!isInt32(this.varint(end))) this.mark(start)
        return
      case 'int64':
        // Go and ClickHouse may treat bits beyond the 64th differently.
        if (this.varint(end) > 2 ** 64) this.mark(start)
        return
      default:
        this.skip(field.wire, end)
    }
  }

  private nested(field: Field, start: number, end: number, depth: number): void {
    const inner = this.length(end) + this.position
    const { message } = field
    if (!message) return
    if (field.repeated) this.count.part()
    if (depth > MAX_DEPTH) refuseDepth()
    if (message === this.itemMessage) return this.item(inner)
    if (message === ANY_VALUE) return this.anyValue(inner, depth)
    if (message === ARRAY_VALUE || message === KEY_VALUE_LIST) this.mark(start)
    if (message === RESOURCE) this.resource ??= this.bytes.subarray(this.position, inner)
    this.message(message, inner, depth)
  }

  /** Checks an attribute's value or a nested value. All marks in it become a single mark, at the attribute's value. */
  private anyValue(end: number, depth: number): void {
    const start = this.position
    const count = this.marks.length
    this.message(ANY_VALUE, end, depth + 1)
    if (depth > 0 || this.marks.length === count) return
    this.marks.length = count
    this.values.push(start, end)
  }

  private item(end: number): void {
    this.count.item()
    this.verdict.begin()
    this.message(this.itemMessage, end, 0)
    const reason = this.verdict.reason()
    if (reason !== undefined) this.refused.set(this.count.spans - 1, reason)
  }

  private text(field: Field, length: number): void {
    const { bytes } = this
    const start = this.position
    const end = start + length
    this.position = end
    for (let at = start; at < end; at++) {
      if ((bytes[at] ?? 0) < 0x80) continue
      if (!isUtf8(bytes.subarray(at, end))) this.fail(`The string ${field.name} is not UTF-8`)
      return
    }
  }

  private id(size: number, end: number): boolean {
    const length = this.length(end)
    this.position += length
    return length === size && !this.isZero(length)
  }

  private optionalId(field: Field, size: number, start: number, end: number): void {
    const length = this.length(end)
    this.position += length
    if (length !== 0 && length !== size) this.verdict.blameId(`its ${field.name}, or a link's, is not ${size} bytes`)
    if (length !== 0 && this.isZero(length)) this.mark(start)
  }

  /** Whether the bytes just read are all zero. */
  private isZero(length: number): boolean {
    for (let at = this.position - length; at < this.position; at++) if (this.bytes[at] !== 0) return false
    return true
  }

  private time(field: Field, end: number): void {
    this.advance(8, end)
    if ((this.bytes[this.position - 1] ?? 0) > 0x7f) this.verdict.blameTime(field.name)
    if (this.verdict.needsStart) {
      if (field.kind === 'startTime') this.verdict.setStart(this.bytes.readBigUInt64LE(this.position - 8))
      if (field.kind === 'observedTime') this.verdict.setObserved(this.bytes.readBigUInt64LE(this.position - 8))
    }
    if (field.kind === 'endTime') this.verdict.setEnd(this.milliseconds(this.position - 8))
  }

  /** Converts nanoseconds to milliseconds, without a bigint. */
  private milliseconds(at: number): number {
    return (this.bytes.readUInt32LE(at + 4) * 2 ** 32 + this.bytes.readUInt32LE(at)) / 1e6
  }
}

/** Whether a varint is an int32; protobuf writes a negative int32 as the uint64 with its sign-extended bits. */
const isInt32 = (varint: number): boolean => varint < 2 ** 31 || (varint >= 2 ** 64 - 2 ** 31 && varint <= 2 ** 64)
