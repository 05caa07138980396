import { type AdoptNode, nearestBelow, walk } from '../adopt-node.js'
import { isFailed } from '../outcome/span-failure.js'
import { MODEL_INPUT, MODEL_OUTPUT, TOOL_CALL_ID } from '../values/fact-places.js'
import { messagesOfNode } from '../values/model-messages.js'
import { factOfNode } from '../values/node-facts.js'
import { agentTokensOf, callTokensOf, sumTokens } from '../values/span-tokens.js'
import { requestsCalls } from './asked-calls.js'
import { responsesIn } from './call-results.js'

/** Describes the calls of an agent that no span reports by itself. */
export const hiddenCallsOf = (agent: AdoptNode): string | undefined => modelCallsIn(agent) ?? toolCallsOf(agent)

/**
 * A span that lasts while the tools run that its model requested is several calls if it failed, if its input contains
 * the result of a tool that ran during it, or if its agent has more tokens than its calls have.
 */
function modelCallsIn(agent: AdoptNode): string | undefined {
  const calls = [...walk(agent)].filter(({ kind }) => kind === 'llm')
  const several = nearestBelow(agent).flatMap(callsWithTools)
  const [first] = several
  if (calls.length === 0 && agent.children.size > 0 && hasMoreTokens(agent, calls))
    return `the model calls of "${agent.span.name}"`
  const isProven = several.some(({ call, tools }) => isFailed(call) || readsResults(call, tools))
  if (!first || !(isProven || hasMoreTokens(agent, calls))) return undefined
  return `the single model calls in "${first.call.span.name}"`
}

/** A model call that requests tool calls by its finish reason, but has neither messages nor spans of these calls. */
function toolCallsOf(agent: AdoptNode): string | undefined {
  const llm = nearestBelow(agent)
    .flatMap((cycle) => (cycle.kind === 'think_act' ? [nearestBelow(cycle)] : []))
    .find((calls) => calls.length > 0 && calls.every(isBareRequest))?.[0]
  return llm && `the tool calls that "${llm.span.name}" requests`
}

const isBareRequest = (node: AdoptNode): boolean =>
  node.kind === 'llm' &&
  requestsCalls(node) &&
  factOfNode(node, MODEL_INPUT) !== undefined &&
  factOfNode(node, MODEL_OUTPUT) === undefined

function hasMoreTokens(agent: AdoptNode, calls: readonly AdoptNode[]): boolean {
  const { inputTokens: total = 0 } = agentTokensOf(agent.span)
  const { inputTokens: known = 0 } = sumTokens(calls.map(({ span }) => callTokensOf(span)))
  return total > known
}

interface CallWithTools {
  readonly call: AdoptNode
  readonly tools: readonly AdoptNode[]
}

/** Returns the model calls of a cycle during which tools of the cycle ran. */
function callsWithTools(cycle: AdoptNode): CallWithTools[] {
  const below = cycle.kind === 'think_act' ? nearestBelow(cycle) : []
  const tools = below.filter(({ kind }) => kind === 'tool')
  return below
    .filter(({ kind }) => kind === 'llm')
    .map((call) => ({ call, tools: tools.filter((tool) => isDuring(tool, call)) }))
    .filter((each) => each.tools.length > 0)
}

/** Whether the input of a model call contains the result of one of these tools. */
function readsResults(call: AdoptNode, tools: readonly AdoptNode[]): boolean {
  const read = new Set(responsesIn(messagesOfNode(call, 'input') ?? []).map(({ id }) => id))
  return tools.some((tool) => read.has(factOfNode(tool, TOOL_CALL_ID) ?? ''))
}

const isDuring = ({ span: tool }: AdoptNode, { span: call }: AdoptNode): boolean =>
  tool.startTimeUnixNano >= call.startTimeUnixNano && tool.endTimeUnixNano < call.endTimeUnixNano
