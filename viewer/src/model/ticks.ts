import type { TimeMap } from './time-map.js'
import type { Range } from './time-range.js'

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1.5e4, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5]
const LONG_STEPS = [36e5, 72e5, 108e5, 216e5, 432e5, 864e5, 1728e5, 6048e5, 12096e5, 2592e6]

/** A tick of a time axis. */
export interface Tick {
  readonly place: number
  /** The time since the start of the plan, or since the end of the last break; milliseconds. */
  readonly after: number
  readonly isBehindBreak: boolean
  /** The free room after it, up to the next tick or break. */
  readonly room: number
}

/** Returns the ticks of a part of an axis, as many as fit; each stretch between breaks starts counting anew. */
export function ticksOf({ breaks, placeOf, length }: TimeMap, { from, to }: Range, most: number): Tick[] {
  const step = stepOf((to - from) / Math.max(1, most))
  const begins = [0, ...breaks.map((one) => placeOf(one.to))]
  const ends = [...breaks.map((one) => placeOf(one.from)), length]
  return begins.flatMap((begin, index) => {
    const end = Math.min(ends[index] ?? length, to)
    const ticks: Tick[] = []
    for (let after = Math.max(0, Math.ceil((from - begin) / step)) * step; begin + after <= end; after += step) {
      const place = begin + after
      ticks.push({ place, after, isBehindBreak: index > 0, room: Math.min(step, end - place) })
    }
    return ticks
  })
}

const stepOf = (atLeast: number): number =>
  [...STEPS, ...LONG_STEPS].find((one) => one >= atLeast) ?? Math.ceil(atLeast / 2592e6) * 2592e6
