import { above, type AdoptNode, byStart, move } from './adopt-node.js'
import { TOOL_ARGUMENTS, TOOL_RESULT } from './values/fact-places.js'
import { factOfNode } from './values/node-facts.js'
import { agentRequest, ownAnswer, planAnswer, planRequest } from './values/request-and-answer.js'
import { saidIn } from './values/spoken-text.js'
import { toolArguments, toolResult } from './values/tool-values.js'

/**
 * Moves each agent below the tool call that called it, if the agent is recorded beside that call or beside its agent:
 * it worked during the call, and its request or its answer is that of the call.
 */
export function moveToCalls(nodes: readonly AdoptNode[]): void {
  let open: AdoptNode[] = []
  for (const node of nodes.filter(({ own, kind }) => own === undefined && WORKS.has(kind)).toSorted(byStart)) {
    open = open.filter(({ span }) => span.endTimeUnixNano >= node.span.startTimeUnixNano)
    if (node.kind === 'tool') open.push(node)
    else if (node.parent) {
      const call = open.findLast((tool) => isCalledBy(node, tool))
      if (call) move(node, call)
    }
  }
}

const WORKS: ReadonlySet<string> = new Set(['agent', 'tool'])

function callerOf(call: AdoptNode): AdoptNode | undefined {
  const around = above(call)
  return around?.kind === 'think_act' ? above(around) : around
}

function isCalledBy(agent: AdoptNode, call: AdoptNode): boolean {
  const caller = callerOf(call)
  const around = above(agent)
  if (caller === undefined || caller === agent || (around !== caller && around !== above(caller))) return false
  return (
    agent.span.endTimeUnixNano <= call.span.endTimeUnixNano &&
    isWorkOf(agent, { arguments: factOfNode(call, TOOL_ARGUMENTS), result: factOfNode(call, TOOL_RESULT) })
  )
}

/** Whether the request or the answer of an agent or a plan is that of a call. */
export function isWorkOf(
  node: AdoptNode,
  call: { arguments: string | undefined; result: string | undefined },
): boolean {
  const request = (node.kind === 'plan' ? planRequest : agentRequest)(node)?.text
  if (request !== undefined && saidIn(toolArguments(call.arguments), 'user') === request) return true
  const answer = (node.kind === 'plan' ? planAnswer : ownAnswer)(node)?.text
  return answer !== undefined && toolResult(call.result) === answer
}
