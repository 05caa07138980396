/**
 * The valid start times of spans, Unix nanoseconds. ClickHouse partitions spans by day, so an unlimited range of days
 * would create too many partitions.
 */
export interface SpanTimes {
  /** The first valid time. */
  readonly from: bigint
  /** The first invalid time after the range. */
  readonly until: bigint
}

const MS_PER_DAY = 86_400_000
const NANOS_PER_MS = 1_000_000n
const NANOS_PER_DAY = BigInt(MS_PER_DAY) * NANOS_PER_MS

/**
 * All times at which spans can be looked up: the collector's table of trace times stores seconds in 32 bits, which end
 * in 2106.
 */
export const READABLE_TIMES: SpanTimes = { from: 0n, until: 2n ** 32n * 1_000_000_000n }

/** How many years back spans may start by default. */
export const DEFAULT_YEARS = 10
/** The limit for clocks that are ahead, including those in other time zones. */
export const DAYS_AHEAD = 7

/** Returns the valid times from some years back, at a given time (Unix milliseconds). */
export function spanTimesOf(years: number, now: number): SpanTimes {
  const first = new Date(now)
  first.setUTCFullYear(first.getUTCFullYear() - years)
  return {
    from: BigInt(Math.max(0, first.getTime())) * NANOS_PER_MS,
    until: BigInt(now + DAYS_AHEAD * MS_PER_DAY) * NANOS_PER_MS,
  }
}

/** Whether a span may start at a time. Spans without a time are on the first day of 1970. */
export const isSpanTime = (time: bigint, { from, until }: SpanTimes): boolean =>
  (time >= from && time < until) || (time >= 0n && time < NANOS_PER_DAY)

/** Returns the day of a time, counted from 1970. */
export const dayOf = (time: bigint): number => Number(time / NANOS_PER_DAY)
