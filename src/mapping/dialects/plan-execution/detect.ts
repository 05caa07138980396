import { itemsOf, member, type JsonNode } from '../../json/node.js'
import type { EraName } from './era.js'

const has = (node: JsonNode, key: string): boolean => member(node, key) !== undefined

const isPlan = (node: JsonNode): boolean =>
  has(node, 'agentExecutionSequence')
    ? has(node, 'planId') || has(node, 'currentPlanId') || has(node, 'rootPlanId')
    : (has(node, 'planId') && has(node, 'userRequest')) || (has(node, 'currentPlanId') && has(node, 'rootPlanId'))

/** An agent-execution document: what `/api/executor/agent-execution` answers. */
export const isAgentDocument = (node: JsonNode): boolean =>
  has(node, 'stepId') && has(node, 'agentName') && has(node, 'thinkActSteps')

export const isPlanExecution = (node: JsonNode): boolean =>
  node.kind === 'object' && (isPlan(node) || isAgentDocument(node))

/** The era of a document, told by the keys that only one era writes. */
export function eraOf(document: JsonNode): EraName {
  if (isAgentDocument(document) && !isPlan(document)) return isNewest(document) ? 'F' : 'E'
  if (has(document, 'planspan') && has(document, 'planId') && has(document, 'currentPlanId')) return 'live'
  if (!has(document, 'currentPlanId')) return isJackson(document) ? 'B' : 'A'
  return itemsOf(member(document, 'agentExecutionSequence')).some(isNewest) ? 'F' : 'E'
}

/** JManus first wrote by hand and left nulls out; Jackson, which came next, writes them and calls isStuck stuck. */
const isJackson = (plan: JsonNode): boolean =>
  has(plan, 'userInputWaitState') ||
  itemsOf(member(plan, 'agentExecutionSequence')).some((agent) => has(agent, 'stuck'))

/** Whether an agent is written as Lynxe does since 2026. */
const isNewest = (agent: JsonNode): boolean =>
  has(agent, 'latestMethodName') ||
  itemsOf(member(agent, 'thinkActSteps')).some((thinkAct) => has(thinkAct, 'modelContextLimit')) ||
  itemsOf(member(agent, 'subPlanExecutionRecords')).some((plan) =>
    itemsOf(member(plan, 'agentExecutionSequence')).some(isNewest),
  )
