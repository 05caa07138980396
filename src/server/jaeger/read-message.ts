import { BinaryReader, type WireType } from '@bufbuild/protobuf/wire'

import { PlanspanError } from '../../error.js'

type FieldReader = (reader: BinaryReader) => void

/** Reads a message's known fields, each by its number, and passes the others. */
export function readMessage(bytes: Uint8Array, fields: Readonly<Record<number, FieldReader>>): void {
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    const read = fields[number]
    if (read) read(reader)
    else reader.skip(wireType satisfies WireType, number)
  }
}

/** What `read` makes of a request's bytes. Throws `usage` for bytes that are no such message. */
export function readRequest<Request>(name: string, bytes: Uint8Array, read: (bytes: Uint8Array) => Request): Request {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof PlanspanError && error.code === 'usage') throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new PlanspanError('usage', `The request is no jaeger.storage.v2.${name}: ${reason}.`, { cause: error })
  }
}

const NANOS_PER_SECOND = 1_000_000_000n
/** Go's zero time, the start of year 1, with which Jaeger says that it gives no time. */
const ZERO_TIME_SECONDS = -62_135_596_800n

/** google.protobuf.Timestamp as nanoseconds since the Unix epoch within 64 bits; undefined when it says none. */
export function readTimestamp(bytes: Uint8Array): bigint | undefined {
  const { seconds, nanos } = readSecondsAndNanos(bytes)
  if (seconds === ZERO_TIME_SECONDS && nanos === 0n) return undefined
  const time = seconds * NANOS_PER_SECOND + nanos
  return BigInt.asIntN(64, time) === time ? time : time < 0n ? -(2n ** 63n) : 2n ** 63n - 1n
}

/** google.protobuf.Duration in nanoseconds; undefined when it is 0, with which Jaeger says that it gives none. */
export function readDuration(bytes: Uint8Array): bigint | undefined {
  const { seconds, nanos } = readSecondsAndNanos(bytes)
  return seconds * NANOS_PER_SECOND + nanos || undefined
}

function readSecondsAndNanos(bytes: Uint8Array): { seconds: bigint; nanos: bigint } {
  let seconds = 0n
  let nanos = 0n
  readMessage(bytes, {
    1: (reader) => (seconds = BigInt(reader.int64())),
    2: (reader) => (nanos = BigInt(reader.int32())),
  })
  return { seconds, nanos }
}
