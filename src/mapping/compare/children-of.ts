import { append } from '../../base/append.js'
import { ROLES, type Role } from '../../semconv/index.js'
import { bySeq, type SpanNode } from '../tree/index.js'

/**
 * Returns the spans with a role directly below a node, passing through foreign spans. Spans of one role keep their
 * order; roles are merged by start.
 */
export function childrenOf(node: SpanNode): SpanNode[] {
  if (node.children.length === 0) return []
  const queues = new Map<Role, SpanNode[]>(ROLES.map((role) => [role, []]))
  const pending = [...node.children]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.role === undefined) append(pending, next.children)
    else queues.get(next.role)?.push(next)
  }
  return merged([...queues.values()].filter(({ length }) => length > 0).map((queue) => queue.sort(bySeq)))
}

/** Merges lists by the start of their first items. Each list keeps its order, whatever its times. */
function merged(lists: readonly (readonly SpanNode[])[]): SpanNode[] {
  const [only] = lists
  if (only && lists.length === 1) return [...only]
  const all: SpanNode[] = []
  const at = lists.map(() => 0)
  for (;;) {
    let first: SpanNode | undefined
    let from = 0
    for (const [index, list] of lists.entries()) {
      const head = list[at[index] ?? 0]
      if (head && (!first || isEarlier(head, first))) [first, from] = [head, index]
    }
    if (!first) return all
    all.push(first)
    at[from] = (at[from] ?? 0) + 1
  }
}

const isEarlier = (one: SpanNode, other: SpanNode): boolean =>
  one.segment === other.segment
    ? one.span.startTimeUnixNano < other.span.startTimeUnixNano
    : one.segment < other.segment
