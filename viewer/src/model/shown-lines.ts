import { countOf, isBranch, type Lines, membersBelow } from './lines.js'

/** The depth and size up to which lines are open at first. */
const OPEN_DEPTH = 2
const OPEN_MEMBERS = 20

/** Returns the lines that are folded at first: deep ones and those with many members. */
export function foldedAtFirst(lines: Lines): Set<number> {
  const folded = new Set<number>()
  for (let line = 0; line < countOf(lines); line++) {
    if (!isBranch(lines, line)) continue
    if ((lines.depths[line] ?? 0) >= OPEN_DEPTH || membersBelow(lines, line).length > OPEN_MEMBERS) folded.add(line)
  }
  return folded
}

/** Returns the visible lines for a set of folded lines, in order. */
export function shownLines(lines: Lines, folded: ReadonlySet<number>): number[] {
  const shown: number[] = []
  for (let line = 0; line < countOf(lines);) {
    shown.push(line)
    line = folded.has(line) ? (lines.ends[line] ?? line + 1) : line + 1
  }
  return shown
}

/** Unfolds the ancestors of a line. */
export function unfoldedTo(lines: Lines, folded: ReadonlySet<number>, wanted: number): Set<number> {
  return new Set([...folded].filter((line) => line >= wanted || (lines.ends[line] ?? 0) <= wanted))
}

/** The position of a hit: its line, and its offset from the start of the line. */
export interface Hit {
  readonly line: number
  readonly at: number
}

/** The largest number of hits. */
export const MOST_HITS = 10_000

/** Finds a text, given in lower case, in any case. */
export function hitsIn({ text, starts }: Lines, sought: string): Hit[] {
  if (sought === '') return []
  const lowerCase = text.toLowerCase()
  // Lower case may be longer than the original; then offsets differ.
  const searched = lowerCase.length === text.length ? lowerCase : text
  const hits: Hit[] = []
  let line = 0
  for (let at = searched.indexOf(sought); at >= 0 && hits.length < MOST_HITS; at = searched.indexOf(sought, at + 1)) {
    while ((starts[line + 1] ?? Infinity) <= at) line++
    hits.push({ line, at: at - (starts[line] ?? 0) })
  }
  return hits
}
