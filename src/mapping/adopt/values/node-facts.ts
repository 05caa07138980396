import type { AdoptNode } from '../adopt-node.js'
import { factOf, type Place } from './fact-place.js'
import { AGENT_NAME, MODEL, NAME_OF_AGENT, PLAN_TITLE } from './fact-places.js'

/** Returns a fact of a node: from its own span, otherwise from the first twin that has it. */
export function factOfNode(node: AdoptNode, places: readonly Place[]): string | undefined {
  for (const { span } of [node, ...node.twins]) {
    const fact = factOf(span, places)
    if (fact !== undefined) return fact
  }
  return undefined
}

/** Returns the name of an agent. Undefined if it has no name, or if its span is named after a model or an operation. */
export function agentNameOf(node: AdoptNode): string | undefined {
  const stated = factOfNode(node, AGENT_NAME) ?? crewRole(node)
  if (stated !== undefined) return stated
  const name = factOf(node.span, NAME_OF_AGENT)
  return name === factOf(node.span, MODEL) || name === node.span.attributes['ai.operationId'] ? undefined : name
}

/** CrewAI writes the agents of a crew as a list. */
const crewRole = (node: AdoptNode): string | undefined => factOfNode(node, [{ in: 'crew_agents', path: ['0', 'role'] }])

export const planTitleOf = (node: AdoptNode): string | undefined => factOfNode(node, PLAN_TITLE)
