import type { StructureJson } from '../client/index.js'

type Row = StructureJson['spans'][number]

/** A span in the tree, with its descendants. */
export interface OutlineSpan {
  readonly row: Row
  /** 0 for the outermost shown span. */
  readonly depth: number
  /** The number of its descendants. */
  readonly below: number
  /** The number of its failed descendants. */
  readonly failedBelow: number
  readonly children: readonly OutlineSpan[]
}

/** The index of the field that says whether a span failed. */
const FAILED = 8

/** Builds the trees of a structure, or the subtree of one span. Returns undefined if the span is missing. */
export function outlineOf({ spans }: StructureJson, under: string | undefined): OutlineSpan[] | undefined {
  const children: number[][] = spans.map(() => [])
  const roots: number[] = []
  for (const [at, [, parent]] of spans.entries()) (parent === null ? roots : (children[parent] ?? roots)).push(at)
  const selected = under === undefined ? roots : spans.flatMap(([id], at) => (id === under ? [at] : []))
  if (selected.length === 0 && under !== undefined) return undefined

  const built = new Map<number, OutlineSpan>()
  // Parents precede their children, so iterating backwards completes the children first.
  const inOrder: { at: number; depth: number }[] = selected.map((at) => ({ at, depth: 0 }))
  for (const { at, depth } of inOrder)
    for (const child of children[at] ?? []) inOrder.push({ at: child, depth: depth + 1 })
  for (const { at, depth } of inOrder.toReversed()) {
    const below = (children[at] ?? []).flatMap((child) => built.get(child) ?? [])
    const row = spans[at]
    if (!row) continue
    built.set(at, {
      row,
      depth,
      children: below,
      below: below.reduce((sum, child) => sum + 1 + child.below, 0),
      failedBelow: below.reduce((sum, child) => sum + Number(child.row[FAILED]) + child.failedBelow, 0),
    })
  }
  return selected.flatMap((at) => built.get(at) ?? [])
}

/** Returns how many levels fit into a number of spans; at least one. */
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
