/** A range of time, or of an axis; milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

const NARROWEST_MS = 0.1

/** Scales a range by a factor around a share of it. */
export function zoomed({ from, to }: Range, at: number, factor: number): Range {
  const fixed = from + (to - from) * at
  const length = Math.max(NARROWEST_MS, (to - from) * factor)
  return { from: fixed - length * at, to: fixed + length * (1 - at) }
}

/** Moves a range to lie within another range; returns that range if it is shorter. */
export function within({ from, to }: Range, whole: Range): Range {
  if (to - from >= whole.to - whole.from) return whole
  const by = Math.max(0, whole.from - from) - Math.max(0, to - whole.to)
  return { from: from + by, to: to + by }
}

/** The relative position of a place in a range: 0 at its start, 1 at its end. */
export const shareOf = (place: number, { from, to }: Range): number => (place - from) / (to - from)

/** The place at a relative position of a range. */
export const atShare = (share: number, { from, to }: Range): number => from + (to - from) * share
