/** Writes bytes to one growing buffer. */
export class ByteWriter {
  private buffer: Buffer
  length = 0

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(Math.max(size, 256))
  }

  copy(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start)
    this.buffer.set(source.subarray(start, end), this.length)
    this.length += end - start
  }

  byte(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  /** Writes text as UTF-8; returns the number of bytes. */
  text(text: string): number {
    this.reserve(text.length * 3)
    const written = this.buffer.write(text, this.length)
    this.length += written
    return written
  }

  varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  /** Writes an int32 as protobuf does: a negative one takes ten bytes. */
  int32(value: number): void {
    if (value >= 0) return this.varint(value)
    let rest = BigInt.asUintN(64, BigInt(value))
    while (rest > 0x7fn) {
      this.byte(Number(rest & 0x7fn) | 0x80)
      rest >>= 7n
    }
    this.byte(Number(rest))
  }

  /** Leaves room for a length that is not known yet: a varint of five bytes, since it need not be the shortest form. */
  openLength(): number {
    this.reserve(5)
    this.length += 5
    return this.length
  }

  closeLength(start: number): void {
    let rest = this.length - start
    for (let at = start - 5; at < start - 1; at++) {
      this.buffer[at] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.buffer[start - 1] = rest
  }

  finish(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + count))
    this.buffer.copy(grown, 0, 0, this.length)
    this.buffer = grown
  }
}
