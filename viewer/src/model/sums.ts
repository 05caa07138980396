import { roleWord } from './role.js'
import { HIGH_RISK } from './row.js'
import { visibleNodes } from './open-rows.js'
import type { Node, Tree } from './tree.js'

/** How long some of the waits among nodes lasted, those that overlap once; one that goes on lasts until `now`. */
export function waitedOf(nodes: Iterable<Node>, now?: number): number {
  const waits = [...nodes]
    .filter(({ row }) => row.role === 'wait')
    .map(({ row }) => {
      const end = row.start + row.duration
      return { start: row.start, end: row.state === 'waiting' && now !== undefined ? Math.max(end, now) : end }
    })
    .toSorted((a, b) => a.start - b.start)
  let total = 0
  let reached = 0
  for (const { start, end } of waits) {
    total += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
  }
  return total
}

/** The models that were called, the one with the most calls first, equal ones by name. */
export function modelsOf(nodes: Iterable<Node>): string[] {
  const calls = new Map<string, number>()
  for (const { row } of nodes)
    if (row.role === 'llm' && row.name !== roleWord('llm')) calls.set(row.name, (calls.get(row.name) ?? 0) + 1)
  return [...calls].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([model]) => model)
}

/** All nodes in the order of the tree. */
export const inOrder = ({ roots, nodes }: Tree): Node[] => visibleNodes({ roots }, new Set(nodes.keys()))

/** A judgement that one should look at. */
export const isRisky = ({ row }: Node): boolean =>
  (row.judgement !== null && row.judgement !== 'safe') || (row.role === 'guardrail' && (row.risk ?? 0) >= HIGH_RISK)
