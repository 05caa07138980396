import type { DescMessage } from '@bufbuild/protobuf'

/** The field numbers of a message. */
export const fieldNumbers = <Message extends DescMessage>(message: Message): FieldNumbers<Message> =>
  Object.fromEntries(message.fields.map(({ localName, number }) => [localName, number])) as FieldNumbers<Message>

type FieldNumbers<Message extends DescMessage> = Readonly<Record<keyof Message['field'], number>>

/** The wire types. */
const VARINT = 0
const FIXED_64 = 1
const BYTES = 2

const FIRST_BYTES = 1 << 16
/** The most bytes that a tag and a length, or a tag and a number, take. */
const HEAD_BYTES = 20
/** Shorter texts are written faster here than by a call out of JavaScript; their length is one byte. */
const SHORT_TEXT = 64

/**
 * Writes protobuf messages into one buffer. It takes a quarter of the time of protobuf-es, which goes by a message's
 * description and joins the bytes of each message from those of its fields: spans are written by tens of thousands.
 */
export class WireBuffer {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  text(field: number, text: string): void {
    if (text.length < SHORT_TEXT && this.#shortAscii(field, text)) return
    const length = Buffer.byteLength(text)
    this.#head(field, BYTES, length)
    this.#varint(length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** A field of bytes that come as hex digits; left out if they are not as many bytes. */
  hex(field: number, digits: string, length: number): void {
    if (digits.length !== length * 2) return
    const start = this.#length
    this.#head(field, BYTES, length)
    this.#varint(length)
    const written = this.#bytes.write(digits, this.#length, 'hex')
    this.#length = written === length ? this.#length + length : start
  }

  /** A field of a bool, an enum or an int32 that is not negative. */
  number(field: number, value: number): void {
    this.#head(field, VARINT)
    this.#varint(value)
  }

  int64(field: number, value: bigint): void {
    this.#head(field, VARINT)
    let rest = BigInt.asUintN(64, value)
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80
    this.#bytes[this.#length++] = Number(rest)
  }

  fixed64(field: number, value: bigint): void {
    this.#head(field, FIXED_64)
    this.#length = this.#bytes.writeBigUInt64LE(value, this.#length)
  }

  double(field: number, value: number): void {
    this.#head(field, FIXED_64)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }

  /** A field that is a message of its own. */
  message(field: number, write: () => void): void {
    this.#head(field, BYTES)
    const start = this.#length++
    write()
    const length = this.#length - start - 1
    // Most are short. The bytes of others move to make room for a longer length.
    const moved = varintBytes(length) - 1
    if (moved > 0) {
      this.#reserve(moved)
      this.#bytes.copyWithin(start + 1 + moved, start + 1, this.#length)
    }
    this.#length = start
    this.#varint(length)
    this.#length += length
  }

  /** Hands over what was written, and begins anew. */
  take(): Uint8Array {
    const taken = new Uint8Array(this.#bytes.subarray(0, this.#length))
    if (this.#bytes.length > FIRST_BYTES) this.#bytes = Buffer.allocUnsafe(FIRST_BYTES)
    this.#length = 0
    return taken
  }

  /** Writes a field of a short text; false for one that is not ASCII. */
  #shortAscii(field: number, text: string): boolean {
    const start = this.#length
    this.#head(field, BYTES, text.length)
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = text.length
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) {
        this.#length = start
        return false
      }
      bytes[at++] = code
    }
    this.#length = at
    return true
  }

  #head(field: number, type: number, more = 0): void {
    this.#reserve(HEAD_BYTES + more)
    this.#varint(field * 8 + type)
  }

  #varint(value: number): void {
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
    this.#bytes[this.#length++] = rest
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** How many bytes a length below 2^31 takes. */
const varintBytes = (value: number): number => Math.max(1, Math.ceil((32 - Math.clz32(value)) / 7))
