import type { StructureJson } from '../client/index.js'

type Row = StructureJson['spans'][number]

/** A span in the tree, with its descendants. */
export interface OutlineSpan {
  readonly row: Row
  /** 0 for the outermost shown span. */
  readonly depth: number
  /** The number of its descendants, and of the failed ones. */
  readonly below: number
  readonly failedBelow: number
  readonly children: readonly OutlineSpan[]
}

/** The index of the field that says whether a span failed. */
const FAILED = 8

/** Builds trees from a structure; with a span's id only its subtree, undefined if there is no such span. */
export function outlineOf({ spans }: StructureJson, under: string | undefined): OutlineSpan[] | undefined {
  const children: number[][] = spans.map(() => [])
  const roots: number[] = []
  for (const [at, [, parent]] of spans.entries()) (parent === null ? roots : (children[parent] ?? roots)).push(at)
  const asked = under === undefined ? roots : spans.flatMap(([id], at) => (id === under ? [at] : []))
  if (asked.length === 0 && under !== undefined) return undefined

  const made = new Map<number, OutlineSpan>()
  // Parents precede their children, so iterating backwards completes the children first.
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

/** The number of levels that fit into a number of spans; at least one. */
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

/** Yields the spans of the first levels, parents before children. */
export function* inLevels(roots: readonly OutlineSpan[], levels: number): Generator<OutlineSpan> {
  const pending = roots.toReversed()
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next
    if (next.depth + 1 < levels) for (const child of next.children.toReversed()) pending.push(child)
  }
}
