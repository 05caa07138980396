/** A part of two sequences: for each, the first index and the index after the last. */
export interface Stretch {
  readonly a: readonly [from: number, to: number]
  readonly b: readonly [from: number, to: number]
}

/** The indexes of two equal items. */
export type Match = readonly [a: number, b: number]

/**
 * The maximum number of differences that are searched at once. Sequences that differ more are aligned piece by piece,
 * so that the time grows linearly with the length.
 */
const MOST = 256

const OUTSIDE = -1

/**
 * Returns the matches of two sequences by Myers' shortest edit, in order. Beyond the maximum number of differences the
 * edit is not quite the shortest. Items that only one sequence has are skipped.
 */
export function shortestEdit(a: readonly number[], b: readonly number[], stretch: Stretch): Match[] {
  const inA = placesOfKeys(a, stretch.a, new Set(b.slice(...stretch.b)))
  const inB = placesOfKeys(b, stretch.b, new Set(a.slice(...stretch.a)))
  const found: Match[] = []
  let [x, y] = [0, 0]
  while (x < inA.length && y < inB.length) {
    const [x0, y0] = [x, y]
    const [placeA, placeB] = [(i: number) => inA[x0 + i] as number, (j: number) => inB[y0 + j] as number]
    const piece = nextPiece((i, j) => a[placeA(i)] === b[placeB(j)], inA.length - x, inB.length - y)
    for (const [i, j] of piece.matches) found.push([placeA(i), placeB(j)])
    x += piece.end[0]
    y += piece.end[1]
  }
  return found
}

/** Returns the positions of the wanted keys in a stretch. */
function placesOfKeys(keys: readonly number[], [from, to]: Stretch['a'], wanted: ReadonlySet<number>): number[] {
  const places: number[] = []
  for (let at = from; at < to; at++) if (wanted.has(keys[at] as number)) places.push(at)
  return places
}

interface Piece {
  readonly matches: readonly Match[]
  readonly end: Match
}

/** Aligns both from their beginning to their ends, or as far as the maximum number of differences reaches. */
function nextPiece(isSame: (i: number, j: number) => boolean, width: number, height: number): Piece {
  /** For each number of differences, how far each diagonal was followed. */
  const trail: Int32Array[] = []
  for (let edits = 0; ; edits++) {
    const reached = new Int32Array(2 * edits + 1)
    let [best, bestSum] = [0, OUTSIDE]
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(trail.at(-1), { edits, diagonal, width, height }).x
      if (x !== OUTSIDE) while (x < width && x - diagonal < height && isSame(x, x - diagonal)) x++
      reached[diagonal + edits] = x
      const sum = x === OUTSIDE ? OUTSIDE : 2 * x - diagonal
      if (sum > bestSum) [best, bestSum] = [diagonal, sum]
    }
    const isDone = bestSum === width + height
    if (isDone || edits === MOST) return wayBack([...trail, reached], best, { width, height })
    trail.push(reached)
  }
}

interface Place {
  readonly edits: number
  readonly diagonal: number
  readonly width: number
  readonly height: number
}

/** Returns where a diagonal is entered: from the diagonal above or below, whichever is further. */
function startOf(before: Int32Array | undefined, { edits, diagonal, width, height }: Place) {
  if (!before) return { x: 0, from: 0 }
  const at = (of: number): number => before[of + edits - 1] ?? OUTSIDE
  const left = at(diagonal - 1)
  const above = at(diagonal + 1)
  const right = left !== OUTSIDE && left < width ? left + 1 : OUTSIDE
  const down = above !== OUTSIDE && above - diagonal <= height ? above : OUTSIDE
  return right > down ? { x: right, from: diagonal - 1 } : { x: down, from: diagonal + 1 }
}

/** Returns the matches on the way to the end of a diagonal. */
function wayBack(
  trail: readonly Int32Array[],
  last: number,
  { width, height }: Pick<Place, 'width' | 'height'>,
): Piece {
  const matches: Match[] = []
  let diagonal = last
  const endX = trail.at(-1)?.[last + trail.length - 1] ?? 0
  let x = endX
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const start = startOf(trail[edits - 1], { edits, diagonal, width, height })
    for (; x > start.x; x--) matches.push([x - 1, x - 1 - diagonal])
    diagonal = start.from
    x = trail[edits - 1]?.[diagonal + edits - 1] ?? 0
  }
  return { matches: matches.reverse(), end: [endX, endX - last] }
}
