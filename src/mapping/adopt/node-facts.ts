import type { AdoptNode } from './adopt-node.js'
import { factOf, type Place } from './fact-place.js'
import { AGENT_NAME, MODEL, NAME_OF_AGENT, PLAN_TITLE } from './fact-places.js'

/** Returns a fact of a node: from its own span, otherwise from the first twin that has it. */
export function toldBy(node: AdoptNode, places: readonly Place[]): string | undefined {
  for (const { span } of [node, ...node.twins]) {
    const told = factOf(span, places)
    if (told !== undefined) return told
  }
  return undefined
}

/** Returns the name of an agent. Undefined if it has no name, or if its span is named after a model or an operation. */
export function agentNameOf(node: AdoptNode): string | undefined {
  const told = toldBy(node, AGENT_NAME) ?? crewRole(node)
  if (told !== undefined) return told
  const name = factOf(node.span, NAME_OF_AGENT)
  return name === factOf(node.span, MODEL) || name === node.span.attributes['ai.operationId'] ? undefined : name
}

/** CrewAI writes the agents of a crew as a list. */
const crewRole = (node: AdoptNode): string | undefined => toldBy(node, [{ in: 'crew_agents', path: ['0', 'role'] }])

export const planTitleOf = (node: AdoptNode): string | undefined => toldBy(node, PLAN_TITLE)
