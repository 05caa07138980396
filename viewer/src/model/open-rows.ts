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

/**
 * What is open at first: the ways to whom one waits for, and to the first failure that no other one below it explains;
 * without any, two levels.
 */
export function openAtFirst({ roots, nodes }: Tree): Set<string> {
  const all = [...nodes.values()]
  const failed = firstFailure(roots)
  const shown = [
    ...(failed ? [failed] : []),
    ...all.filter(({ row }) => row.role === 'wait' && row.state === 'waiting'),
  ]
  if (shown.length === 0) return new Set(all.filter(({ depth }) => depth < 2).map(({ row }) => row.id))
  return new Set([...roots.map(({ row }) => row.id), ...shown.flatMap(wayTo)])
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
