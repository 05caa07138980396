import type { Node, Tree } from './tree.js'

/** Returns the visible nodes for a set of open ids, in order. */
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
 * Returns the nodes that are initially open: the paths to open waits and to the first original failure. Without open
 * waits and failures, opens two levels.
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

/** Returns the ids of a node's ancestors. */
export function wayTo({ parent }: Node): string[] {
  const way: string[] = []
  for (let at = parent; at; at = at.parent) way.push(at.row.id)
  return way
}

/** Returns the ids of all nodes with children. */
export const allWithChildren = ({ nodes }: Tree): Set<string> =>
  new Set([...nodes.values()].filter(({ children }) => children.length > 0).map(({ row }) => row.id))

function firstFailure(among: readonly Node[]): Node | undefined {
  const node = among.find(({ causes, cutOff }) => causes + cutOff > 0)
  return node && (firstFailure(node.children) ?? node)
}
