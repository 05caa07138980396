import { Buffer } from 'node:buffer'

/** The two encodings of OTLP/HTTP. */
export type Encoding = 'protobuf' | 'json'

/** A checked OTLP request. */
export interface WriteRequest {
  readonly encoding: Encoding
  /** An uncompressed ExportTraceServiceRequest without values that the landing tables reject. */
  readonly body: Uint8Array
  /** The number of spans. */
  readonly spans: number
  /** The number of events, links, attributes and other parts of the spans. @default 0 */
  readonly parts?: number
  /** The ends of the spans, Unix milliseconds, for the metric of the time until a span is stored. */
  readonly ends?: readonly number[]
}

/** The protobuf tag of `span_count = 2047` in request.proto, a field that is appended to the request. */
const SPAN_COUNT_TAG = varint(2047 << 3)

/**
 * Encodes a request as one row of its landing table: length-prefixed protobuf, or a string and a UInt32 in RowBinary.
 */
export function frame({ encoding, body, spans }: WriteRequest): readonly Uint8Array[] {
  if (encoding === 'json') {
    return [varint(body.length), body, uint32(spans)]
  }
  const count = varint(spans)
  return [varint(body.length + SPAN_COUNT_TAG.length + count.length), body, SPAN_COUNT_TAG, count]
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
