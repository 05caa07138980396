import { type AdoptNode, nearestBelow, walk } from '../adopt-node.js'
import { isFailed } from '../outcome/span-failure.js'
import { MODEL_INPUT, MODEL_OUTPUT } from '../values/fact-places.js'
import { factOfNode } from '../values/node-facts.js'
import { agentTokensOf, callTokensOf, sumTokens } from '../values/span-tokens.js'
import { requestsCalls } from './asked-calls.js'

/** Describes the calls of an agent that no span reports by itself. */
export const hiddenCallsOf = (agent: AdoptNode): string | undefined => modelCallsIn(agent) ?? toolCallsOf(agent)

/**
 * A span that lasts while the tools run that its model requested is several calls if it failed, or if its agent has
 * more tokens than its calls have.
 */
function modelCallsIn(agent: AdoptNode): string | undefined {
  const several = nearestBelow(agent).flatMap(callsWithTools)
  const [first] = several
  if (!first || !(several.some(isFailed) || hasMoreTokens(agent))) return undefined
  return `the single model calls in "${first.span.name}"`
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

function hasMoreTokens(agent: AdoptNode): boolean {
  const { inputTokens: total = 0 } = agentTokensOf(agent.span)
  const calls = [...walk(agent)].filter(({ kind }) => kind === 'llm')
  const { inputTokens: known = 0 } = sumTokens(calls.map(({ span }) => callTokensOf(span)))
  return total > known
}

/** Returns the model calls of a cycle during which a tool of the cycle ran. */
function callsWithTools(cycle: AdoptNode): AdoptNode[] {
  const below = cycle.kind === 'think_act' ? nearestBelow(cycle) : []
  const tools = below.filter(({ kind }) => kind === 'tool')
  return below.filter((call) => call.kind === 'llm' && tools.some((tool) => isDuring(tool, call)))
}

const isDuring = ({ span: tool }: AdoptNode, { span: call }: AdoptNode): boolean =>
  tool.startTimeUnixNano >= call.startTimeUnixNano && tool.endTimeUnixNano < call.endTimeUnixNano
