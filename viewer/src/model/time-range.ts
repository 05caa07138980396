/** A part of time, milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

const NARROWEST_MS = 0.1

/** A range made larger or smaller by a factor, with what is at a share of it staying there. */
export function zoomed({ from, to }: Range, at: number, factor: number): Range {
  const fixed = from + (to - from) * at
  const length = Math.max(NARROWEST_MS, (to - from) * factor)
  return { from: fixed - length * at, to: fixed + length * (1 - at) }
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1.5e4, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5]
const LONG_STEPS = [36e5, 72e5, 108e5, 216e5, 432e5, 864e5, 1728e5, 6048e5, 12096e5, 2592e6]

/** Round times after the beginning of a plan that lie in a range, as many as there is room for. */
export function ticksOf({ from, to }: Range, start: number, most: number): number[] {
  const atLeast = (to - from) / Math.max(1, most)
  const step = [...STEPS, ...LONG_STEPS].find((one) => one >= atLeast) ?? Math.ceil(atLeast / 2592e6) * 2592e6
  const ticks: number[] = []
  for (let at = Math.ceil((from - start) / step) * step; at <= to - start; at += step) ticks.push(at)
  return ticks
}

/** Where a time lies in a range: 0 at its begin, 1 at its end. */
export const shareOf = (time: number, { from, to }: Range): number => (time - from) / (to - from)
