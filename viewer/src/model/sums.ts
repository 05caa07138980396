import { roleWord } from './words.js'
import { HIGH_RISK } from './row.js'
import { visibleNodes } from './open-rows.js'
import type { Node, Tree } from './tree.js'

/** The total time of waits among nodes; overlapping waits count once, and an open wait lasts until `now`. */
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

/** Returns the called models, by number of calls, then by name. */
export function modelsOf(nodes: Iterable<Node>): string[] {
  const calls = new Map<string, number>()
  for (const { row } of nodes)
    if (row.role === 'llm' && row.name !== roleWord('llm')) calls.set(row.name, (calls.get(row.name) ?? 0) + 1)
  return [...calls].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([model]) => model)
}

/** Returns all nodes in tree order. */
export const inOrder = ({ roots, nodes }: Tree): Node[] => visibleNodes({ roots }, new Set(nodes.keys()))

/** Whether a node is a judgement that deserves attention. */
export const isRisky = ({ row }: Node): boolean =>
  row.role === 'guardrail' && ((row.judgement !== null && row.judgement !== 'safe') || (row.risk ?? 0) >= HIGH_RISK)
