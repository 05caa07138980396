/**
 * The times at which spans may start, Unix nanoseconds. ClickHouse keeps each day's spans apart from all others', so
 * that spans of as many days as there are would be too much for it.
 */
export interface SpanTimes {
  /** The first of them. */
  readonly from: bigint
  /** The first that is none of them any more. */
  readonly until: bigint
}

const MS_PER_DAY = 86_400_000
const NANOS_PER_MS = 1_000_000n
const NANOS_PER_DAY = BigInt(MS_PER_DAY) * NANOS_PER_MS

/**
 * All times of which spans are found again: the collector's table of when each trace was holds seconds in 32 bits,
 * which end in 2106.
 */
export const READABLE_TIMES: SpanTimes = { from: 0n, until: 2n ** 32n * 1_000_000_000n }

/** How many years back spans may start, unless it is set. */
export const DEFAULT_YEARS = 10
/** Clocks of other machines, and of time zones, are ahead by less. */
export const DAYS_AHEAD = 7

/** The times of so many years back, as seen at a time (Unix milliseconds). */
export function spanTimesOf(years: number, now: number): SpanTimes {
  const first = new Date(now)
  first.setUTCFullYear(first.getUTCFullYear() - years)
  return {
    from: BigInt(Math.max(0, first.getTime())) * NANOS_PER_MS,
    until: BigInt(now + DAYS_AHEAD * MS_PER_DAY) * NANOS_PER_MS,
  }
}

/** Whether a span may start at a time. The first day of 1970 is where spans lie that tell no time. */
export const isSpanTime = (time: bigint, { from, until }: SpanTimes): boolean =>
  (time >= from && time < until) || (time >= 0n && time < NANOS_PER_DAY)

/** The day of a time, counted from 1970 on. */
export const dayOf = (time: bigint): number => Number(time / NANOS_PER_DAY)
