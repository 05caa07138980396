import type { Row } from './row.js'
import type { Range } from './time-range.js'
import type { Node } from './tree.js'

/** The smallest share of the plan at which a stretch is folded. */
const FOLDED_SHARE = 1 / 10

/** A run of a resumed plan: its number, from 1, and its start. */
export interface Segment {
  readonly number: number
  readonly start: number
}

/** Returns the segments after the first. */
export function segmentsOf(nodes: Iterable<Node>): Segment[] {
  const starts = new Map<number, number>()
  for (const {
    row: { segment, start },
  } of nodes) {
    if (segment > 0) starts.set(segment, Math.min(start, starts.get(segment) ?? start))
  }
  return [...starts].map(([segment, start]) => ({ number: segment + 1, start })).toSorted((a, b) => a.start - b.start)
}

/**
 * Returns the long stretches of a plan in which it only waited for a person or to be resumed. Returns none if nothing
 * else would be left.
 */
export function breaksOf(nodes: Iterable<Node>, whole: Range, now?: number): Range[] {
  const least = (whole.to - whole.from) * FOLDED_SHARE
  const all = [...nodes]
  const idle = united([
    ...all
      .map(({ row }) => row)
      .filter(isWait)
      .map((row) => waitOf(row, now)),
    ...pausesOf(all),
  ])
    .map(({ from, to }) => ({ from: Math.max(from, whole.from), to: Math.min(to, whole.to) }))
    .filter(isLonger(least))
  if (idle.length === 0) return []
  const work = united(
    all
      .filter(isWork)
      .map(spanOf)
      .filter((one) => idle.some((other) => overlap(one, other))),
  )
  const breaks = idle.flatMap((one) => without(one, work)).filter(isLonger(least))
  const left = breaks.reduce((rest, { from, to }) => rest - (to - from), whole.to - whole.from)
  return left > 0 ? breaks : []
}

const isWait = ({ role }: Row): boolean => role === 'wait'
/** Whether a node is work itself; a node with children only groups them. */
const isWork = ({ row, children }: Node): boolean => children.length === 0 && !isWait(row)
const spanOf = ({ row: { start, duration } }: Node): Range => ({ from: start, to: start + duration })
const isLonger =
  (least: number) =>
  ({ from, to }: Range): boolean =>
    to - from > least
const overlap = (a: Range, b: Range): boolean => a.from < b.to && b.from < a.to

function waitOf({ start, duration, state }: Row, now: number | undefined): Range {
  const to = start + duration
  return { from: start, to: state === 'waiting' && now !== undefined ? Math.max(to, now) : to }
}

/** The time from the last start or end before a segment to its beginning. */
function pausesOf(nodes: readonly Node[]): Range[] {
  return segmentsOf(nodes).map(({ start }) => {
    const before = nodes.filter(({ row }) => row.start < start).map(spanOf)
    const from = before.reduce((latest, one) => Math.max(latest, one.to <= start ? one.to : one.from), 0)
    return { from: before.length > 0 ? from : start, to: start }
  })
}

/** Merges overlapping ranges, in order. */
function united(ranges: readonly Range[]): Range[] {
  const all: Range[] = []
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) }
    else all.push({ from, to })
  }
  return all
}

/** Subtracts disjoint, ordered ranges from a range. */
function without({ from, to }: Range, others: readonly Range[]): Range[] {
  const left: Range[] = []
  let at = from
  for (const other of others) {
    if (other.to <= at || other.from >= to) continue
    left.push({ from: at, to: other.from })
    at = other.to
  }
  return [...left, { from: at, to }].filter((one) => one.from < one.to)
}
