import type { Range } from './time-range.js'

/** The share of the axis of each break, and of all breaks together at most. */
const BREAK_SHARE = 1 / 12
const MOST_SHARE = 1 / 2

/** Maps times to places on an axis with folded breaks, and back. */
export interface TimeMap {
  /** The length without folded time, plus what remains of each break; milliseconds, like all places. */
  readonly length: number
  readonly breaks: readonly Range[]
  /** The distance of a time from the start of the axis. */
  placeOf(time: number): number
  timeAt(place: number): number
}

/** Creates the map of a time range in which all breaks have equal width. Breaks are ordered and within the range. */
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

/** Interpolates a value between two parallel lists; beyond their ends it extrapolates with slope 1. */
function between(value: number, these: readonly number[], those: readonly number[]): number {
  const behind = these.findIndex((one) => one >= value)
  if (behind === 0) return (those[0] ?? 0) + value - (these[0] ?? 0)
  if (behind < 0) return (those.at(-1) ?? 0) + value - (these.at(-1) ?? 0)
  const [a = 0, b = 0] = [these[behind - 1], these[behind]]
  const [c = 0, d = 0] = [those[behind - 1], those[behind]]
  return c + ((value - a) / (b - a)) * (d - c)
}
