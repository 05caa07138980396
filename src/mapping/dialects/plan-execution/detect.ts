import { hasMember, itemsOf, member, type JsonNode } from '../../json/index.js'
import type { EraName } from './era.js'

const isPlan = (node: JsonNode): boolean =>
  hasMember(node, 'agentExecutionSequence')
    ? hasMember(node, 'planId') || hasMember(node, 'currentPlanId') || hasMember(node, 'rootPlanId')
    : (hasMember(node, 'planId') && hasMember(node, 'userRequest')) ||
      (hasMember(node, 'currentPlanId') && hasMember(node, 'rootPlanId'))

/** Whether a document is an agent's execution: the response of `/api/executor/agent-execution`. */
export const isAgentDocument = (node: JsonNode): boolean =>
  hasMember(node, 'stepId') && hasMember(node, 'agentName') && hasMember(node, 'thinkActSteps')

export const isPlanExecution = (node: JsonNode): boolean =>
  node.kind === 'object' && (isPlan(node) || isAgentDocument(node))

const hasBothIds = (plan: JsonNode): boolean => hasMember(plan, 'planId') && hasMember(plan, 'currentPlanId')

/** Detects the era of a document from its keys. */
export function eraOf(document: JsonNode): EraName {
  const agents = isPlan(document) ? agentObjects(document) : [document]
  const cycles = agents.flatMap((agent) => itemsOf(member(agent, 'thinkActSteps')))
  if (hasMember(document, 'planspan') && (isAgentDocument(document) || hasBothIds(document))) return 'live'
  if (agents.some((agent) => hasMember(agent, 'latestMethodName')) || some(cycles, 'modelContextLimit')) return 'F'
  if (!isPlan(document)) return some(cycles, 'inputCharCount') || cycles.length === 0 ? 'E++' : 'E'
  if (!hasMember(document, 'currentPlanId')) return firstEraOf(document, agents)
  if (!hasMember(document, 'parentPlanId') && !some(agents, 'stepId')) return middleEraOf(document, agents, cycles)
  if (!hasMember(document, 'structureResult')) return 'E'
  return cycles.length === 0 || some(cycles, 'inputCharCount') ? 'E++' : 'E+'
}

const some = (nodes: readonly JsonNode[], key: string): boolean => nodes.some((node) => hasMember(node, key))

/**
 * JManus first wrote records by hand, with text ids. Jackson, which came next, writes nulls, and `stuck` for `isStuck`.
 */
function firstEraOf(plan: JsonNode, agents: readonly JsonNode[]): EraName {
  if (hasMember(plan, 'userInputWaitState') || some(agents, 'stuck')) return 'B'
  if (hasMember(plan, 'progress') || hasMember(plan, 'stepStatuses')) return 'A0'
  return [plan, ...agents].some((node) => member(node, 'id')?.kind === 'string') ? 'A1' : 'A'
}

function middleEraOf(plan: JsonNode, agents: readonly JsonNode[], cycles: readonly JsonNode[]): EraName {
  const start = member(plan, 'startTime') ?? member(agents[0], 'startTime')
  if (start?.kind === 'array') return 'D'
  if (some(agents, 'stuck')) return some(cycles, 'actToolInfoList') || hasMember(plan, 'modelName') ? 'C+' : 'C'
  return hasMember(plan, 'modelName') ? 'C++' : 'C'
}

/** Returns the agents of a plan and of its sub-plans. */
function agentObjects(plan: JsonNode | undefined): JsonNode[] {
  return itemsOf(member(plan, 'agentExecutionSequence')).flatMap((agent) => {
    const ofCycles = itemsOf(member(agent, 'thinkActSteps')).map((cycle) => member(cycle, 'subPlanExecutionRecord'))
    const subPlans = [...itemsOf(member(agent, 'subPlanExecutionRecords')), ...ofCycles]
    return [agent, ...subPlans.flatMap(agentObjects)]
  })
}
