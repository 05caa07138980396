import { append } from '../../base/append.js'
import { shortestEdit, type Match, type Stretch } from './shortest-edit.js'

/**
 * Aligns two sequences of keys in nearly linear time: first the keys that occur once in each of them (patience diff),
 * then the stretches between them by the shortest edit.
 */
export function align(a: readonly number[], b: readonly number[], stretch: Stretch = wholeOf(a, b)): Match[] {
  const found: Match[] = []
  let [a0, a1] = stretch.a
  let [b0, b1] = stretch.b
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) found.push([a0++, b0++])
  const behind: Match[] = []
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) behind.push([--a1, --b1])
  const middle: Stretch = { a: [a0, a1], b: [b0, b1] }
  const anchors = anchorsOf(a, b, middle)
  for (const [index, between] of gapsOf(anchors, middle).entries()) {
    append(found, shortestEdit(a, b, between))
    const anchor = anchors[index]
    if (anchor) found.push(anchor)
  }
  append(found, behind.reverse())
  return found
}

export const wholeOf = (a: ArrayLike<unknown>, b: ArrayLike<unknown>): Stretch => ({
  a: [0, a.length],
  b: [0, b.length],
})

/** Returns the stretches before, between and after the matches. */
export function gapsOf(matches: readonly Match[], { a: [a0, a1], b: [b0, b1] }: Stretch): Stretch[] {
  const from: Match[] = [[a0, b0], ...matches.map(([i, j]): Match => [i + 1, j + 1])]
  return from.map(([i, j], index): Stretch => {
    const [nextA, nextB] = matches[index] ?? [a1, b1]
    return { a: [i, nextA], b: [j, nextB] }
  })
}

/** Returns matches of keys that occur once in each sequence: as many as are in the same order in both. */
function anchorsOf(a: readonly number[], b: readonly number[], { a: as, b: bs }: Stretch): Match[] {
  const inB = placesOf(b, bs)
  const common: Match[] = []
  for (const [key, i] of placesOf(a, as)) {
    const j = inB.get(key)
    if (i !== REPEATED && j !== undefined && j !== REPEATED) common.push([i, j])
  }
  return longestAscending(common)
}

const REPEATED = -1

/** Returns the positions of each key, ordered by first position. */
function placesOf(keys: readonly number[], [from, to]: Stretch['a']): Map<number, number> {
  const places = new Map<number, number>()
  for (let at = from; at < to; at++) {
    const key = keys[at] as number
    places.set(key, places.has(key) ? REPEATED : at)
  }
  return places
}

/** Returns the longest part of pairs in ascending first order that is also in ascending second order. */
function longestAscending(pairs: readonly Match[]): Match[] {
  /** For each length, the pair with the lowest second that ends such a part, and the predecessor of each pair. */
  const ends: number[] = []
  const before: number[] = []
  const secondOf = (index: number | undefined): number => pairs[index ?? -1]?.[1] ?? -1
  for (const [index, [, second]] of pairs.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (secondOf(ends[middle]) < second) low = middle + 1
      else high = middle
    }
    before[index] = ends[low - 1] ?? -1
    ends[low] = index
  }
  const found: Match[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) found.push(pairs[index] as Match)
  return found.reverse()
}

/** Assigns numbers to texts and lists. Equal values have the same number. */
export class Interner {
  readonly #numbers = new Map<string, number>()
  readonly #lists = new Map<string, number>()

  numberOf(text: string): number {
    return numberIn(this.#numbers, text)
  }

  /** Returns the number of a list of short values. */
  numberOfAll(values: readonly (string | number | boolean | undefined)[]): number {
    return numberIn(this.#lists, values.join())
  }
}

function numberIn(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size)
  return numbers.size - 1
}
