import { isOver, type State } from '../../semconv/index.js'
import { stateOf } from './state.js'
import { ancestors, type SpanNode } from './span-node.js'

/** Where a span stands, but for what is concluded from silence: no record changes with time alone. */
export function lastingState(node: SpanNode): State {
  const belowOver = node.around.belowOver && isBelowOverPlan(node)
  return stateOf({ ...node, around: { ...node.around, belowOver, isSilent: false } })
}

function isBelowOverPlan(node: SpanNode): boolean {
  for (const above of ancestors(node)) if (isOverPlan(above)) return true
  return false
}

const isOverPlan = (node: SpanNode): boolean => node.role === 'plan' && !node.span.pending && isOver(stateOf(node))
