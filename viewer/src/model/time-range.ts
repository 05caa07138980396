/** A part of time, or of an axis; milliseconds. */
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

/** A range as long, moved to lie within another one, or that one where it is longer. */
export function within({ from, to }: Range, whole: Range): Range {
  if (to - from >= whole.to - whole.from) return whole
  const by = Math.max(0, whole.from - from) - Math.max(0, to - whole.to)
  return { from: from + by, to: to + by }
}

/** Where a place lies in a range: 0 at its begin, 1 at its end. */
export const shareOf = (place: number, { from, to }: Range): number => (place - from) / (to - from)

/** What lies at a share of a range. */
export const atShare = (share: number, { from, to }: Range): number => from + (to - from) * share
