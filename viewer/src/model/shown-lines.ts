import { countOf, isBranch, type Lines, membersBelow } from './lines.js'

/** Of what is open at first: no deeper, and no larger. */
const OPEN_DEPTH = 2
const OPEN_MEMBERS = 20

/** The lines that are folded at first: what is deep or has many members. */
export function foldedAtFirst(lines: Lines): Set<number> {
  const folded = new Set<number>()
  for (let line = 0; line < countOf(lines); line++) {
    if (!isBranch(lines, line)) continue
    if ((lines.depths[line] ?? 0) >= OPEN_DEPTH || membersBelow(lines, line).length > OPEN_MEMBERS) folded.add(line)
  }
  return folded
}

/** The lines that are seen when some are folded, in their order. */
export function shownLines(lines: Lines, folded: ReadonlySet<number>): number[] {
  const shown: number[] = []
  for (let line = 0; line < countOf(lines);) {
    shown.push(line)
    line = folded.has(line) ? (lines.ends[line] ?? line + 1) : line + 1
  }
  return shown
}

/** What is folded when a line is to be seen. */
export function unfoldedTo(lines: Lines, folded: ReadonlySet<number>, wanted: number): Set<number> {
  return new Set([...folded].filter((line) => line >= wanted || (lines.ends[line] ?? 0) <= wanted))
}

/** A place where a text is: a line, and how far from the line's begin. */
export interface Hit {
  readonly line: number
  readonly at: number
}

/** More are not told apart. */
export const MOST_HITS = 10_000

/** Where a text in lower case is, in upper or lower case. */
export function hitsIn({ text, starts }: Lines, sought: string): Hit[] {
  if (sought === '') return []
  const lowerCase = text.toLowerCase()
  // A character may be longer in lower case: then places differ.
  const searched = lowerCase.length === text.length ? lowerCase : text
  const hits: Hit[] = []
  let line = 0
  for (let at = searched.indexOf(sought); at >= 0 && hits.length < MOST_HITS; at = searched.indexOf(sought, at + 1)) {
    while ((starts[line + 1] ?? Infinity) <= at) line++
    hits.push({ line, at: at - (starts[line] ?? 0) })
  }
  return hits
}
