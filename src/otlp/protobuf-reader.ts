import { PlanspanError } from '../error.js'

/** A range of bytes from start to end, end excluded. */
export type Range = readonly [start: number, end: number]

/** Reads protobuf from a body, at a position; no read goes past the end of its message. */
export class ProtobufReader {
  readonly bytes: Buffer
  position = 0

  constructor(body: Uint8Array) {
    this.bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  }

  fail(what: string): never {
    throw new PlanspanError('invalid_otlp', `${what}, at byte ${this.position}.`)
  }

  /** Reads a tag: field number × 8 + wire type. */
  tag(end: number): number {
    const tag = this.varint(end)
    if (tag < 8 || tag > 0xffffffff) this.fail('A protobuf tag has a field number that does not exist')
    return tag
  }

  /** Reads a length that fits into the message. */
  length(end: number): number {
    const length = this.varint(end)
    if (length > end - this.position) this.fail('A protobuf field reaches over the end of its message')
    return length
  }

  /** Reads a varint, exact up to 2^53. */
  varint(end: number): number {
    const { bytes } = this
    let position = this.position
    if (position < end) {
      const first = bytes[position] ?? 0
      if (first < 0x80) {
        this.position = position + 1
        return first
      }
    }
    let value = 0
    let factor = 1
    const limit = Math.min(end, position + 10)
    while (position < limit) {
      const byte = bytes[position++] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) {
        this.position = position
        return value
      }
      factor *= 128
    }
    return this.fail(position === end ? 'A protobuf varint is cut off' : 'A protobuf varint is longer than 10 bytes')
  }

  /** Reads the low 64 bits of a varint, signed. */
  int64(end: number): bigint {
    let value = 0n
    const start = this.position
    this.varint(end)
    for (let at = this.position - 1; at >= start; at--) value = (value << 7n) | BigInt((this.bytes[at] ?? 0) & 0x7f)
    return BigInt.asIntN(64, value)
  }

  /** Skips a value and returns its range, which excludes the length of a length-delimited one. */
  value(wire: number, end: number): Range {
    if (wire === 2) {
      const length = this.length(end)
      this.position += length
      return [this.position - length, this.position]
    }
    const start = this.position
    this.skip(wire, end)
    return [start, this.position]
  }

  skip(wire: number, end: number): void {
    switch (wire) {
      case 0:
        this.varint(end)
        return
      case 1:
        return this.advance(8, end)
      case 2:
        return this.advance(this.length(end), end)
      case 5:
        return this.advance(4, end)
      default:
        this.fail(`A protobuf field has wire type ${wire}, which proto3 does not have`)
    }
  }

  advance(count: number, end: number): void {
    if (count > end - this.position) this.fail('A protobuf field reaches over the end of its message')
    this.position += count
  }
}
