import { isFailed, type Row } from './row.js'

/** A row in its place, with what all below it come to, itself included. */
export interface Node {
  readonly row: Row
  readonly depth: number
  readonly parent: Node | undefined
  readonly children: readonly Node[]
  readonly tokens: number
  readonly spans: number
  readonly failures: number
  /** Failures that no failure right below them explains. */
  readonly causes: number
  readonly risk: number | null
  /** Judged unsafe and taken nonetheless. */
  readonly taken: number
  readonly stopped: number
  /** The latest end below, milliseconds since the Unix epoch. */
  readonly end: number
}

export interface Tree {
  readonly roots: readonly Node[]
  readonly nodes: ReadonlyMap<string, Node>
  readonly start: number
  readonly end: number
  /** Whether spans name each other as parents, of which one is a root nonetheless. */
  readonly isKnotted: boolean
}

/** A node while its tree is made. */
export type Growing = { -readonly [Key in keyof Omit<Node, 'children' | 'parent'>]: Node[Key] } & {
  children: Growing[]
  parent: Growing | undefined
}

/** Lays rows out as trees, siblings in the order of their start. A row whose parent is not there is a root. */
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

/** The order of siblings. */
export const byStart = (a: Row, b: Row): number => a.start - b.start || (a.id < b.id ? -1 : 1)

/** A node that stands alone; `sumUp` tells what it comes to. */
export const leafOf = (row: Row): Growing => ({
  row,
  depth: 0,
  parent: undefined,
  children: [],
  tokens: 0,
  spans: 0,
  failures: 0,
  causes: 0,
  risk: null,
  taken: 0,
  stopped: 0,
  end: 0,
})

/** A failure that none right below it explains: where something failed, not what failed with it. */
export const isCause = ({ row, children }: Pick<Node, 'row'> & { readonly children: readonly Pick<Node, 'row'>[] }) =>
  isFailed(row) && !children.some((child) => isFailed(child.row))

/** Whether a node stands above another, or is it: spans that name each other as parents make no tree. */
export function isAbove(node: Node, other: Node): boolean {
  for (let at: Node | undefined = other; at; at = at.parent) if (at === node) return true
  return false
}

/** Roots and all nodes below them, each before its children, whose depths are set. */
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

/** Adds up a node and what is below it; its children have been added up already. */
export function sumUp(node: Growing): void {
  const { row, children } = node
  node.tokens = row.tokens ?? 0
  node.spans = 1
  node.failures = isFailed(row) ? 1 : 0
  node.causes = isCause(node) ? 1 : 0
  node.risk = row.risk
  node.taken = row.judgement === 'taken' ? 1 : 0
  node.stopped = row.judgement === 'stopped' ? 1 : 0
  node.end = row.start + row.duration
  for (const child of children) {
    node.tokens += child.tokens
    node.spans += child.spans
    node.failures += child.failures
    node.causes += child.causes
    node.taken += child.taken
    node.stopped += child.stopped
    if (child.risk !== null) node.risk = Math.max(node.risk ?? 0, child.risk)
    node.end = Math.max(node.end, child.end)
  }
}

export const endOf = (roots: readonly Node[]): number => roots.reduce((latest, { end }) => Math.max(latest, end), 0)
