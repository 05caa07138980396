/** Hand-written protobuf, for bytes that no encoder writes. */
export const bytes = (...parts: (number | Uint8Array | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))))

/** A length-delimited field with a number up to 15. */
export const field = (number: number, ...parts: (number | Uint8Array | string)[]): Buffer => {
  const payload = bytes(...parts)
  const length: number[] = []
  for (let rest = payload.length; ; rest >>>= 7) {
    length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    if (rest <= 0x7f) return bytes((number << 3) | 2, ...length, payload)
  }
}

export const fixed64 = (number: number, value: bigint): Buffer => {
  const out = Buffer.alloc(9)
  out[0] = (number << 3) | 1
  out.writeBigUInt64LE(value, 1)
  return out
}

export const TRACE_ID = field(1, Buffer.alloc(16, 1))
export const SPAN_ID = field(2, Buffer.alloc(8, 2))
export const inScope = (...parts: Buffer[]) => field(1, field(2, ...parts))
export const request = (...span: (Buffer | number)[]) => inScope(field(2, ...span))
export const attribute = (...value: (Buffer | number)[]) => field(9, field(1, 'k'), field(2, ...value))
