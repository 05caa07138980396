import { append } from '../../../base/append.js'
import { childrenInOrder, type SpanNode } from '../../tree/index.js'

/** Returns the plans and agents below a span that become trajectories of their own, except below its parts. */
export function trajectoriesBelow(root: SpanNode, isPart: (node: SpanNode) => boolean = () => false): SpanNode[] {
  const found: SpanNode[] = []
  const pending = childrenInOrder(root).reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (isPart(next)) continue
    if (next.role === 'plan' || next.role === 'agent') found.push(next)
    else append(pending, childrenInOrder(next).reverse())
  }
  return found
}
