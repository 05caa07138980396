import type { Bounds } from '../span-draft.js'
import { isoOf, unixNanoOf } from '../../record-object/index.js'

const LONGEST_SECONDS = 10 * 365 * 86_400

/** Parses a time, which is usually a local `YYYYMMDD@HHMMSS`. */
export const instantOf = (stamp: string | undefined, timeZone: string): bigint | undefined =>
  stamp === undefined ? undefined : unixNanoOf(stamp, timeZone)

/** Formats an instant as `YYYYMMDD@HHMMSS` in UTC. */
export const stampOf = (unixNano: bigint): string =>
  isoOf(unixNano).slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '@')

/** Converts seconds to nanoseconds. */
const nanosOf = (seconds = Number.NaN): bigint | undefined =>
  seconds >= 0 && seconds < LONGEST_SECONDS ? BigInt(Math.round(seconds * 1e9)) : undefined

/** A step is recorded when it ends. */
export function stepBounds(timestamp: string | undefined, duration: number | undefined, timeZone: string): Bounds {
  const end = instantOf(timestamp, timeZone)
  const length = nanosOf(duration)
  const start = end === undefined || length === undefined || length > end ? undefined : end - length
  return { start, end }
}

/** An action is recorded when it starts. Its whole seconds may seem to be outside of its step. */
export function actionBounds(
  timestamp: string | undefined,
  duration: number | undefined,
  within: Bounds,
  timeZone: string,
): Bounds {
  const recorded = instantOf(timestamp, timeZone)
  if (recorded === undefined) return {}
  const start = clamp(recorded, within)
  const length = nanosOf(duration)
  return { start, end: length === undefined ? undefined : clamp(start + length, within) }
}

function clamp(time: bigint, { start, end }: Bounds): bigint {
  if (end !== undefined && time > end) return end
  return start !== undefined && time < start ? start : time
}
