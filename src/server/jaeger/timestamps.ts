import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt'

const NANOS_PER_SECOND = 1_000_000_000n
/** Go's zero time, the start of year 1, which Jaeger sends instead of a missing time. */
const ZERO_TIME_SECONDS = -62_135_596_800n

type SecondsAndNanos = Pick<Timestamp, 'seconds' | 'nanos'>

/** A timestamp as nanoseconds since the Unix epoch, within 64 bits; undefined if it is absent. */
export function fromTimestamp(timestamp: Timestamp | undefined): bigint | undefined {
  if (!timestamp || (timestamp.seconds === ZERO_TIME_SECONDS && timestamp.nanos === 0)) return undefined
  const time = nanosOf(timestamp)
  return BigInt.asIntN(64, time) === time ? time : time < 0n ? -(2n ** 63n) : 2n ** 63n - 1n
}

/** A duration in nanoseconds; undefined if it is absent or 0, which Jaeger sends instead of a missing duration. */
export const fromDuration = (duration: Duration | undefined): bigint | undefined =>
  (duration && nanosOf(duration)) || undefined

/** Nanoseconds since the Unix epoch as a timestamp. */
export function toTimestamp(time: bigint): SecondsAndNanos {
  const nanos = ((time % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND
  return { seconds: (time - nanos) / NANOS_PER_SECOND, nanos: Number(nanos) }
}

/** Nanoseconds since the Unix epoch as OTLP's fixed64, which cannot represent earlier times. */
export const toUnixNano = (time: bigint): bigint => (time > 0n ? time : 0n)

const nanosOf = ({ seconds, nanos }: SecondsAndNanos): bigint => seconds * NANOS_PER_SECOND + BigInt(nanos)
