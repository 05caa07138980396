import type { Range } from './time-range.js'

/** Of the whole axis how much each break takes, and all of them together at most. */
const BREAK_SHARE = 1 / 12
const MOST_SHARE = 1 / 2

/** Between times and their places on an axis on which some of the time is folded. */
export interface TimeMap {
  /** All that is not folded, and as much as is left of each break; milliseconds, as all places. */
  readonly length: number
  readonly breaks: readonly Range[]
  /** How far from its begin a time lies on the axis. */
  placeOf(time: number): number
  timeAt(place: number): number
}

/** A map of a range of time, on which each break is as wide as another; breaks are in order, within the range. */
export function timeMapOf({ from, to }: Range, breaks: readonly Range[]): TimeMap {
  const folded = breaks.reduce((total, one) => total + one.to - one.from, 0)
  const share = Math.min(BREAK_SHARE, MOST_SHARE / Math.max(1, breaks.length))
  const length = (to - from - folded) / (1 - share * breaks.length)
  const width = length * share
  const times = [from, ...breaks.flatMap((one) => [one.from, one.to]), to]
  const places = [0]
  for (const [index, time] of times.entries()) {
    if (index === 0) continue
    const isBreak = index % 2 === 0
    places.push((places.at(-1) ?? 0) + (isBreak ? width : time - (times[index - 1] ?? time)))
  }
  return {
    length,
    breaks,
    placeOf: (time) => between(time, times, places),
    timeAt: (place) => between(place, places, times),
  }
}

/** What stands beside a value when values of two lists stand beside each other; beyond both ends as far away. */
function between(value: number, these: readonly number[], those: readonly number[]): number {
  const behind = these.findIndex((one) => one >= value)
  if (behind === 0) return (those[0] ?? 0) + value - (these[0] ?? 0)
  if (behind < 0) return (those.at(-1) ?? 0) + value - (these.at(-1) ?? 0)
  const [a = 0, b = 0] = [these[behind - 1], these[behind]]
  const [c = 0, d = 0] = [those[behind - 1], those[behind]]
  return c + ((value - a) / (b - a)) * (d - c)
}
