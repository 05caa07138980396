import { itemsOf, member, type JsonNode } from '../../json/node.js'
import type { EraName } from './era.js'

const has = (node: JsonNode | undefined, key: string): boolean => member(node, key) !== undefined

const isPlan = (node: JsonNode): boolean =>
  has(node, 'agentExecutionSequence')
    ? has(node, 'planId') || has(node, 'currentPlanId') || has(node, 'rootPlanId')
    : (has(node, 'planId') && has(node, 'userRequest')) || (has(node, 'currentPlanId') && has(node, 'rootPlanId'))

/** An agent-execution document: what `/api/executor/agent-execution` answers. */
export const isAgentDocument = (node: JsonNode): boolean =>
  has(node, 'stepId') && has(node, 'agentName') && has(node, 'thinkActSteps')

export const isPlanExecution = (node: JsonNode): boolean =>
  node.kind === 'object' && (isPlan(node) || isAgentDocument(node))

/** The era of a document, told by the keys that it has. */
export function eraOf(document: JsonNode): EraName {
  const agents = isPlan(document) ? agentsOf(document) : [document]
  const cycles = agents.flatMap((agent) => itemsOf(member(agent, 'thinkActSteps')))
  if (has(document, 'planspan') && has(document, 'planId') && has(document, 'currentPlanId')) return 'live'
  if (agents.some((agent) => has(agent, 'latestMethodName')) || some(cycles, 'modelContextLimit')) return 'F'
  if (!isPlan(document)) return some(cycles, 'inputCharCount') || cycles.length === 0 ? 'E++' : 'E'
  if (!has(document, 'currentPlanId')) return firstEraOf(document, agents)
  if (!has(document, 'parentPlanId') && !some(agents, 'stepId')) return middleEraOf(document, agents, cycles)
  if (!has(document, 'structureResult')) return 'E'
  return cycles.length === 0 || some(cycles, 'inputCharCount') ? 'E++' : 'E+'
}

const some = (nodes: readonly JsonNode[], key: string): boolean => nodes.some((node) => has(node, key))

/** JManus first wrote by hand, with text ids; Jackson, which came next, writes nulls and calls isStuck stuck. */
function firstEraOf(plan: JsonNode, agents: readonly JsonNode[]): EraName {
  if (has(plan, 'userInputWaitState') || some(agents, 'stuck')) return 'B'
  if (has(plan, 'progress') || has(plan, 'stepStatuses')) return 'A0'
  return [plan, ...agents].some((node) => member(node, 'id')?.kind === 'string') ? 'A1' : 'A'
}

function middleEraOf(plan: JsonNode, agents: readonly JsonNode[], cycles: readonly JsonNode[]): EraName {
  const start = member(plan, 'startTime') ?? member(agents[0], 'startTime')
  if (start?.kind === 'array') return 'D'
  if (some(agents, 'stuck')) return some(cycles, 'actToolInfoList') || has(plan, 'modelName') ? 'C+' : 'C'
  return has(plan, 'modelName') ? 'C++' : 'C'
}

/** The agents of a plan and of its sub-plans. */
function agentsOf(plan: JsonNode | undefined): JsonNode[] {
  return itemsOf(member(plan, 'agentExecutionSequence')).flatMap((agent) => {
    const ofCycles = itemsOf(member(agent, 'thinkActSteps')).map((cycle) => member(cycle, 'subPlanExecutionRecord'))
    const subPlans = [...itemsOf(member(agent, 'subPlanExecutionRecords')), ...ofCycles]
    return [agent, ...subPlans.flatMap(agentsOf)]
  })
}
