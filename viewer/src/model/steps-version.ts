import type { Role } from './role.js'
import type { Tree } from './tree.js'

const SOURCE_ROLES: ReadonlySet<Role> = new Set(['plan', 'planning', 'wait', 'agent'])

/** Returns a version of the spans that determine the steps; the steps may change when it changes. */
export function stepsVersion({ nodes }: Tree): string {
  const parts: string[] = []
  for (const { row } of nodes.values()) {
    if (row.role !== null && SOURCE_ROLES.has(row.role)) parts.push(row.id, row.state ?? '', String(row.pending))
  }
  return parts.join()
}
