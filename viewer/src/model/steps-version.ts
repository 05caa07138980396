import type { Role } from './role.js'
import type { Tree } from './tree.js'

const TOLD_FROM: ReadonlySet<Role> = new Set(['plan', 'planning', 'wait', 'agent'])

/** What the steps of a plan are told from, as it is in a tree: they change with it. */
export function stepsVersion({ nodes }: Tree): string {
  const parts: string[] = []
  for (const { row } of nodes.values()) {
    if (row.role !== null && TOLD_FROM.has(row.role)) parts.push(row.id, row.state ?? '', String(row.pending))
  }
  return parts.join()
}
