import { isCutOff, isFailed, type Row } from './row.js'

/** A row in the tree, with the totals of itself and its descendants. */
export interface Node {
  readonly row: Row
  readonly depth: number
  readonly parent: Node | undefined
  readonly children: readonly Node[]
  readonly tokens: number
  /** The cost of the model calls with a known cost, US dollars; null without any. */
  readonly costUsd: number | null
  readonly spans: number
  readonly failures: number
  /** The number of original failures. */
  readonly causes: number
  /** The number of innermost spans that never ended, because their plan was killed. */
  readonly cutOff: number
  readonly risk: number | null
  /** The number of actions judged unsafe and taken nevertheless. */
  readonly taken: number
  readonly stopped: number
  /** The latest end of itself and its descendants, milliseconds since the Unix epoch. */
  readonly end: number
}

export interface Tree {
  readonly roots: readonly Node[]
  readonly nodes: ReadonlyMap<string, Node>
  readonly start: number
  readonly end: number
  /** Whether spans name each other as parents, so that one of them had to become a root. */
  readonly isKnotted: boolean
}

/** A node under construction. */
export type Growing = { -readonly [Key in keyof Omit<Node, 'children' | 'parent'>]: Node[Key] } & {
  children: Growing[]
  parent: Growing | undefined
}

/** Builds trees from rows, siblings in order of their start. A row whose parent is missing is a root. */
export function treeOf(rows: ReadonlyMap<string, Row>): Tree {
  const nodes = new Map<string, Growing>([...rows.values()].toSorted(byStart).map((row) => [row.id, leafOf(row)]))
  const roots: Growing[] = []
  let isKnotted = false
  for (const node of nodes.values()) {
    const parent = node.row.parent === null ? undefined : nodes.get(node.row.parent)
    const isKnot = parent !== undefined && isAbove(node, parent)
    isKnotted ||= isKnot
    if (!parent || isKnot) roots.push(node)
    else {
      node.parent = parent
      parent.children.push(node)
    }
  }
  for (const node of withDepths(roots).toReversed()) sumUp(node)
  const [first] = nodes.values()
  return { roots, nodes, start: first?.row.start ?? 0, end: endOf(roots), isKnotted }
}

/** Compares siblings by start. */
export const byStart = (a: Row, b: Row): number => a.start - b.start || (a.id < b.id ? -1 : 1)

/** Creates a node without children; `sumUp` computes its totals. */
export const leafOf = (row: Row): Growing => ({
  row,
  depth: 0,
  parent: undefined,
  children: [],
  tokens: 0,
  costUsd: null,
  spans: 0,
  failures: 0,
  causes: 0,
  cutOff: 0,
  risk: null,
  taken: 0,
  stopped: 0,
  end: 0,
})

/** Whether a node is an original failure, or an innermost span that never ended. */
export const isCause = ({ row, children }: Family): boolean => row.failure !== null || isEndless({ row, children })

type Family = Pick<Node, 'row'> & { readonly children: readonly Pick<Node, 'row'>[] }

const isEndless = ({ row, children }: Family): boolean =>
  isCutOff(row) && !children.some((child) => isCutOff(child.row))

/** Whether a node is an ancestor of another, or the same: parents must not form a cycle. */
export function isAbove(node: Node, other: Node): boolean {
  for (let at: Node | undefined = other; at; at = at.parent) if (at === node) return true
  return false
}

/** Sets the depths below roots, and returns all nodes, children first. */
export function withDepths(roots: readonly Growing[]): Growing[] {
  const order = [...roots]
  for (const node of order) {
    for (const child of node.children) {
      child.depth = node.depth + 1
      order.push(child)
    }
  }
  return order
}

/** Computes the totals of a node from those of its children. */
export function sumUp(node: Growing): void {
  const { row, children } = node
  node.tokens = row.tokens ?? 0
  node.costUsd = row.costUsd
  node.spans = 1
  node.failures = isFailed(row) ? 1 : 0
  node.causes = row.failure === null ? 0 : 1
  node.cutOff = isEndless(node) ? 1 : 0
  node.risk = row.risk
  node.taken = row.judgement === 'taken' ? 1 : 0
  node.stopped = row.judgement === 'stopped' && row.role === 'guardrail' ? 1 : 0
  node.end = row.start + row.duration
  for (const child of children) {
    node.tokens += child.tokens
    if (child.costUsd !== null) node.costUsd = (node.costUsd ?? 0) + child.costUsd
    node.spans += child.spans
    node.failures += child.failures
    node.causes += child.causes
    node.cutOff += child.cutOff
    node.taken += child.taken
    node.stopped += child.stopped
    if (child.risk !== null) node.risk = Math.max(node.risk ?? 0, child.risk)
    node.end = Math.max(node.end, child.end)
  }
}

export const endOf = (roots: readonly Node[]): number => roots.reduce((latest, { end }) => Math.max(latest, end), 0)
