import type { Role } from './words.js'
import type { Node } from './tree.js'

/** The work of an agent, and the agents and plans that it started. */
export interface Work {
  /** Its cycles, and its work outside of them. */
  readonly cells: readonly Node[]
  readonly within: readonly Node[]
}

const OWN_LINE: ReadonlySet<Role> = new Set(['agent', 'plan'])
/** Roles that are shown between the steps. */
const MARKS: ReadonlySet<Role> = new Set(['planning', 'wait'])

/** Returns the cells of an agent, and the descendants with their own rows. */
export function workOf(agent: Node): Work {
  const cells: Node[] = []
  const within: Node[] = []
  const pending = agent.children.map((node) => ({ node, isInCell: false })).toReversed()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, isInCell } = next
    const { role } = node.row
    if (role !== null && OWN_LINE.has(role)) {
      within.push(node)
      continue
    }
    const isCell = !isInCell && role !== null && !MARKS.has(role)
    if (isCell) cells.push(node)
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child) pending.push({ node: child, isInCell: isInCell || isCell })
    }
  }
  return { cells, within }
}

/** A part of a ribbon: from a cell, to another cell, exclusive. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The width of a fold, in cells. */
const FOLD_ROOM = 5

/** Returns the cells to draw if not all of them fit: the first, the last, and those around the current cell. */
export function shownCells(count: number, room: number, at?: number): Stretch[] {
  if (count <= room) return count === 0 ? [] : [{ from: 0, to: count }]
  const atEnds = Math.max(2, room - FOLD_ROOM)
  const ends = [
    { from: 0, to: Math.ceil(atEnds / 2) },
    { from: count - Math.floor(atEnds / 2), to: count },
  ]
  if (at === undefined || ends.some(({ from, to }) => from <= at && at < to)) return joined(ends)
  const free = Math.max(3, room - 2 * FOLD_ROOM)
  const side = Math.max(1, Math.floor(free / 4))
  const middle = free - 2 * side
  const from = at - Math.floor(middle / 2)
  return joined([
    { from: 0, to: side },
    { from, to: from + middle },
    { from: count - side, to: count },
  ])
}

/** Merges overlapping stretches. */
const joined = (stretches: readonly Stretch[]): Stretch[] =>
  stretches.reduce<Stretch[]>((before, next) => {
    const last = before.at(-1)
    return last && next.from <= last.to
      ? [...before.slice(0, -1), { from: last.from, to: Math.max(last.to, next.to) }]
      : [...before, next]
  }, [])

/** Returns the gaps between stretches. */
export const foldsBetween = (stretches: readonly Stretch[]): Stretch[] =>
  stretches.slice(1).map(({ from }, index) => ({ from: stretches[index]?.to ?? 0, to: from }))
