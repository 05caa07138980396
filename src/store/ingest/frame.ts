import { Buffer } from 'node:buffer'

/** The two encodings of OTLP/HTTP. */
export type Encoding = 'protobuf' | 'json'

/** The signals that are stored. */
export type StoredSignal = 'traces' | 'logs'

/** The signal and the encoding of a request, which decide the table that it is inserted into. */
export interface RequestKind {
  /** @default 'traces' */
  readonly signal?: StoredSignal
  readonly encoding: Encoding
}

/** All kinds of requests. */
export const KINDS: readonly Required<RequestKind>[] = (['traces', 'logs'] as const).flatMap((signal) =>
  (['protobuf', 'json'] as const).map((encoding) => ({ signal, encoding })),
)

/** A checked OTLP request. */
export interface WriteRequest extends RequestKind {
  /** An uncompressed request without values that the landing tables reject. */
  readonly body: Uint8Array
  /** The number of spans or log records. */
  readonly spans: number
  /** The number of events, links, attributes and other parts of the spans. @default 0 */
  readonly parts?: number
  /** The ends of the spans, Unix milliseconds, for the metric of the time until a span is stored. */
  readonly ends?: readonly number[]
}

/** The protobuf tag of `item_count = 2047` in request.proto, a field that is appended to the request. */
const ITEM_COUNT_TAG = varint(2047 << 3)

/**
 * Encodes a request as one row of its landing table: length-prefixed protobuf, or a string and a UInt32 in RowBinary.
 */
export function frame({ encoding, body, spans }: WriteRequest): readonly Uint8Array[] {
  if (encoding === 'json') {
    return [varint(body.length), body, uint32(spans)]
  }
  const count = varint(spans)
  return [varint(body.length + ITEM_COUNT_TAG.length + count.length), body, ITEM_COUNT_TAG, count]
}

/** Encodes a number as UInt32 in RowBinary. */
export function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Encodes a number as a varint, as in protobuf and for the length of a string in RowBinary. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  return Uint8Array.from([...bytes, rest])
}
