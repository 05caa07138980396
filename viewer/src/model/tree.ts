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
}

type Growing = { -readonly [Key in keyof Omit<Node, 'children' | 'parent'>]: Node[Key] } & {
  children: Growing[]
  parent: Growing | undefined
}

/** Lays rows out as trees, siblings in the order of their start. A row whose parent is not there is a root. */
export function treeOf(rows: ReadonlyMap<string, Row>): Tree {
  const sorted = [...rows.values()].toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))
  const nodes = new Map<string, Growing>(sorted.map((row) => [row.id, leafOf(row)]))
  const roots: Growing[] = []
  for (const node of nodes.values()) {
    const parent = node.row.parent === null ? undefined : nodes.get(node.row.parent)
    if (!parent || isAbove(node, parent)) roots.push(node)
    else {
      node.parent = parent
      parent.children.push(node)
    }
  }
  const order = withDepths(roots)
  for (const node of order.toReversed()) addUp(node)
  return {
    roots,
    nodes,
    start: sorted[0]?.start ?? 0,
    end: roots.reduce((end, node) => Math.max(end, node.end), 0),
  }
}

const leafOf = (row: Row): Growing => ({
  row,
  depth: 0,
  parent: undefined,
  children: [],
  tokens: row.tokens ?? 0,
  spans: 1,
  failures: isFailed(row) ? 1 : 0,
  causes: 0,
  risk: row.risk,
  taken: row.judgement === 'taken' ? 1 : 0,
  stopped: row.judgement === 'stopped' ? 1 : 0,
  end: row.start + row.duration,
})

/** A failure that none right below it explains: where something failed, not what failed with it. */
export const isCause = ({ row, children }: Pick<Node, 'row'> & { readonly children: readonly Pick<Node, 'row'>[] }) =>
  isFailed(row) && !children.some((child) => isFailed(child.row))

/** Whether a node stands above another, or is it: spans that name each other as parents make no tree. */
function isAbove(node: Node, other: Node): boolean {
  for (let at: Node | undefined = other; at; at = at.parent) if (at === node) return true
  return false
}

/** All nodes, each before its children. */
function withDepths(roots: readonly Growing[]): Growing[] {
  const order = [...roots]
  for (const node of order) {
    for (const child of node.children) {
      child.depth = node.depth + 1
      order.push(child)
    }
  }
  return order
}

/** All below a node have been added to it already. */
function addUp(node: Growing): void {
  if (isCause(node)) node.causes += 1
  const { parent } = node
  if (!parent) return
  parent.tokens += node.tokens
  parent.spans += node.spans
  parent.failures += node.failures
  parent.causes += node.causes
  parent.taken += node.taken
  parent.stopped += node.stopped
  if (node.risk !== null) parent.risk = Math.max(parent.risk ?? 0, node.risk)
  parent.end = Math.max(parent.end, node.end)
}
