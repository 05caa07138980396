import type { State } from '../../../semconv/index.js'
import { errorsWithin, lastingState, stateIfBegun, type SpanNode } from '../../tree/index.js'
import { agentsOf } from './decode.js'
import { OWN } from './live-parts.js'

/** Returns the state of a plan, agent or cycle if Lynxe's keys have no word for it. */
export function wordlessStateOf(node: SpanNode): State | undefined {
  const state = lastingState(node)
  return wordsOf(node)?.includes(state) === false ? state : undefined
}

/** Returns the states that the keys of a node's object can express. An error marks its owner as failed. */
function wordsOf(node: SpanNode): readonly State[] | undefined {
  switch (node.role) {
    case 'plan': {
      const begun = agentsOf(node).flatMap((agent) => stateIfBegun(agent) ?? [])
      return [begun.at(-1) === 'failed' ? 'failed' : 'completed', begun.length > 0 ? 'running' : 'planning']
    }
    case 'agent':
      return errorsWithin(node, OWN.agent).length > 0 ? ['failed'] : ['planning', 'running', 'completed']
    case 'think_act':
      return errorsWithin(node, OWN.think_act).length > 0 ? ['failed'] : ['completed']
    default:
      return undefined
  }
}
