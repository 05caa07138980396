import { append } from '../../../base/append.js'
import type { Role } from '../../../semconv/index.js'
import { childrenInOrder, compare, type SpanNode } from '../../tree/index.js'
import { agentsOf, cyclesOf, subPlansOf } from './decode.js'

/** Returns the nodes below a plan, agent or cycle that have objects of their own in its record. */
export function partsOf(node: SpanNode): ReadonlySet<SpanNode> {
  if (node.role === 'plan') return new Set(agentsOf(node))
  return new Set([...(node.role === 'agent' ? cyclesOf(node) : []), ...subPlansOf(node)])
}

/** Returns the spans of a role that belong to a node itself, by start: at any depth, but not below its parts. */
export function ownSpans(node: SpanNode, role: Role, parts: ReadonlySet<SpanNode>): SpanNode[] {
  const found: SpanNode[] = []
  const pending = childrenInOrder(node).reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (parts.has(next)) continue
    if (next.role === role) found.push(next)
    append(pending, childrenInOrder(next).reverse())
  }
  return found.sort((a, b) => compare(a.span.startTimeUnixNano, b.span.startTimeUnixNano))
}
