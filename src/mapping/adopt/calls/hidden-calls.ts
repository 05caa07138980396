import { type AdoptNode, nearestBelow, walk } from '../adopt-node.js'
import { isFailed } from '../outcome/span-failure.js'
import { agentTokensOf, callTokensOf, sumTokens } from '../values/span-tokens.js'

/**
 * Describes the model calls of an agent that no span reports by itself. A span that lasts while the tools run that its
 * model requested is several calls if it failed, or if its agent has more tokens than its calls have.
 */
export function hiddenCallsOf(agent: AdoptNode): string | undefined {
  const several = nearestBelow(agent).flatMap(callsWithTools)
  const [first] = several
  if (!first || !(several.some(isFailed) || hasMoreTokens(agent))) return undefined
  return `the single model calls in "${first.span.name}"`
}

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
