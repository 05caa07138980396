import { epochNanosOf, unixNanoOf } from '../../record-object/index.js'
import { textOf, type EventValues } from './plan-act-event.js'

const NANOS_PER_MS = 1_000_000n
const QUARTER_HOUR = 900_000_000_000n
/** The latest instant in 64 signed bits of nanoseconds. */
const LATEST = 9_223_372_036_854_775_807n

/**
 * Returns the time of an event, Unix nanoseconds. An id of a Redis stream begins with UTC milliseconds, so it
 * determines the zone of a time without one, whatever `timeZone` is.
 */
export function instantOf(values: EventValues, timeZone: string): bigint | undefined {
  const time = recordedTime(values, timeZone)
  return time !== undefined && time >= 0n && time <= LATEST ? time : undefined
}

function recordedTime(values: EventValues, timeZone: string): bigint | undefined {
  const comment = /^ping - (.+)$/.exec(textOf(values['content']) ?? '')?.[1]
  const text = textOf(values['timestamp']) ?? comment
  const streamTime = streamTimeOf(textOf(values['streamId']) ?? textOf(values['eventId']))
  const epoch = text === undefined ? undefined : epochNanosOf(text)
  if (text === undefined || epoch !== undefined) return streamTime ?? epoch
  if (streamTime === undefined) return unixNanoOf(text, timeZone)
  const wall = unixNanoOf(text, 'UTC')
  if (wall === undefined) return streamTime
  const ahead = wall - streamTime
  const half = ahead < 0n ? -QUARTER_HOUR / 2n : QUARTER_HOUR / 2n
  return wall - ((ahead + half) / QUARTER_HOUR) * QUARTER_HOUR
}

/** Returns the instant in a Redis stream id, `<ms>-<n>`. */
export function streamTimeOf(id: string | undefined): bigint | undefined {
  const milliseconds = /^(\d{13})-\d+$/.exec(id ?? '')?.[1]
  return milliseconds === undefined ? undefined : BigInt(milliseconds) * NANOS_PER_MS
}
