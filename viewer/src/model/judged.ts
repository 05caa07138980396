import type { Judgement } from './row.js'
import type { Node } from './tree.js'

/**
 * Returns the worst judgement at and below a node. A guardrail without a verdict is not a judgement, so the result is
 * undefined if no guardrail has a verdict.
 */
export function judgedIn(node: Node): Judgement | undefined {
  if (node.taken > 0) return 'taken'
  if (node.stopped > 0) return 'stopped'
  let judged: Judgement | undefined
  const pending = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { judgement } = next.row
    if (judgement === 'unsafe') return 'unsafe'
    judged ??= judgement ?? undefined
    for (const child of next.children) pending.push(child)
  }
  return judged
}
