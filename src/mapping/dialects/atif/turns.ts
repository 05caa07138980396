import type { Role } from '../../../semconv/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'

/** A span that becomes a step, or an agent's request that does. */
export interface Turn {
  readonly node: SpanNode
  /** The index of its agent in the trajectory. */
  readonly agent: number | undefined
  readonly isRequest: boolean
}

/** Returns the agents of a trajectory: those of its plan, or the agent itself. */
export const agentsIn = (root: SpanNode): SpanNode[] =>
  root.role === 'agent' ? [root] : nearest(root, 'agent', ['planning'])

/** The roles of spans that a step has keys for. */
const ACTS: readonly Role[] = ['llm', 'tool', 'plan', 'agent']

/** Whether a plan or an agent did or delegated work outside of cycles. */
function hasActed(node: SpanNode): boolean {
  const own = node.role === 'plan' ? ACTS.filter((role) => role !== 'agent') : ACTS
  return own.some((role) => nearest(node, role).length > 0)
}

/** Returns the steps of a trajectory in order: the plan's own work, its plannings and its agents by start. */
export function turnsOf(root: SpanNode): Turn[] {
  const plannings = root.role === 'plan' ? nearest(root, 'planning') : []
  const turns: Turn[] = []
  const add = (node: SpanNode, agent?: number): void => void turns.push({ node, agent, isRequest: false })
  if (root.role === 'plan' && hasActed(root)) add(root)
  for (const [index, agent] of agentsIn(root).entries()) {
    while (plannings[0] && plannings[0].span.startTimeUnixNano <= agent.span.startTimeUnixNano) {
      const planning = plannings.shift()
      if (planning) add(planning)
    }
    turns.push({ node: agent, agent: index, isRequest: true })
    const cycles = nearest(agent, 'think_act')
    if (cycles.length === 0 || hasActed(agent)) add(agent, index)
    for (const cycle of cycles) add(cycle, index)
  }
  for (const planning of plannings) add(planning)
  return turns
}
