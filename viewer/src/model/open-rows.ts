import type { Node, Tree } from './tree.js'

/** The nodes that are seen when those of some ids are open, in their order. */
export function visibleNodes({ roots }: Pick<Tree, 'roots'>, open: ReadonlySet<string>): Node[] {
  const seen: Node[] = []
  const stack = roots.toReversed()
  for (let node = stack.pop(); node; node = stack.pop()) {
    seen.push(node)
    if (!open.has(node.row.id)) continue
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child) stack.push(child)
    }
  }
  return seen
}

/** What is open at first: the way to the first failure that no other one below it explains, else two levels. */
export function openAtFirst({ roots, nodes }: Tree): Set<string> {
  const failed = firstFailure(roots)
  if (failed) return new Set([...roots.map(({ row }) => row.id), ...wayTo(failed)])
  const open = new Set<string>()
  for (const { row, depth } of nodes.values()) if (depth < 2) open.add(row.id)
  return open
}

/** The ids of all nodes above a node. */
export function wayTo({ parent }: Node): string[] {
  const way: string[] = []
  for (let at = parent; at; at = at.parent) way.push(at.row.id)
  return way
}

/** The ids of all nodes that have something below. */
export const allWithChildren = ({ nodes }: Tree): Set<string> =>
  new Set([...nodes.values()].filter(({ children }) => children.length > 0).map(({ row }) => row.id))

function firstFailure(among: readonly Node[]): Node | undefined {
  const node = among.find(({ failures }) => failures > 0)
  return node && (firstFailure(node.children) ?? node)
}
