import type { StructureJson } from '../client/index.js'

type Row = StructureJson['spans'][number]

/** A span in its place, and what is below it. */
export interface OutlineSpan {
  readonly row: Row
  /** 0 on the outermost that is shown. */
  readonly depth: number
  /** How many spans are below it, and how many of them failed. */
  readonly below: number
  readonly failedBelow: number
  readonly children: readonly OutlineSpan[]
}

/** The place of what tells whether a span failed. */
const FAILED = 8

/** The spans of a structure as trees; by a span's id it and what is below it, undefined where there is no such span. */
export function outlineOf({ spans }: StructureJson, under: string | undefined): OutlineSpan[] | undefined {
  const children: number[][] = spans.map(() => [])
  const roots: number[] = []
  for (const [at, [, parent]] of spans.entries()) (parent === null ? roots : (children[parent] ?? roots)).push(at)
  const asked = under === undefined ? roots : spans.flatMap(([id], at) => (id === under ? [at] : []))
  if (asked.length === 0 && under !== undefined) return undefined

  const made = new Map<number, OutlineSpan>()
  // Parents come before their children here, so that from behind each has its children made.
  const inOrder: { at: number; depth: number }[] = asked.map((at) => ({ at, depth: 0 }))
  for (const { at, depth } of inOrder)
    for (const child of children[at] ?? []) inOrder.push({ at: child, depth: depth + 1 })
  for (const { at, depth } of inOrder.toReversed()) {
    const below = (children[at] ?? []).flatMap((child) => made.get(child) ?? [])
    const row = spans[at]
    if (!row) continue
    made.set(at, {
      row,
      depth,
      children: below,
      below: below.reduce((sum, child) => sum + 1 + child.below, 0),
      failedBelow: below.reduce((sum, child) => sum + Number(child.row[FAILED]) + child.failedBelow, 0),
    })
  }
  return asked.flatMap((at) => made.get(at) ?? [])
}

/** How many levels can be shown so that there are no more than so many spans; one at least. */
export function deepest(roots: readonly OutlineSpan[], most: number): number {
  let level = roots
  let shown = 0
  let levels = 0
  while (level.length > 0 && (levels === 0 || shown + level.length <= most)) {
    shown += level.length
    levels++
    level = level.flatMap(({ children }) => children)
  }
  return levels
}

/** The spans of the first levels, each above what is below it. */
export function* inLevels(roots: readonly OutlineSpan[], levels: number): Generator<OutlineSpan> {
  const pending = roots.toReversed()
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next
    if (next.depth + 1 < levels) for (const child of next.children.toReversed()) pending.push(child)
  }
}
