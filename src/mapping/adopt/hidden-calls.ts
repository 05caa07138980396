import { type AdoptNode, nearestBelow, walk } from './adopt-node.js'
import { agentTokensOf, callTokensOf, sumTokens } from './span-tokens.js'

/**
 * Describes the model calls of an agent that no span reports by itself. A span that lasts while the tools run that its
 * model requested, in an agent with more tokens than its calls have, is several calls.
 */
export function hiddenCallsOf(agent: AdoptNode): string | undefined {
  const { inputTokens: total } = agentTokensOf(agent.span)
  if (total === undefined) return undefined
  const several = nearestBelow(agent).flatMap(callsWithTools)
  if (several.length === 0) return undefined
  const calls = [...walk(agent)].filter(({ kind }) => kind === 'llm')
  const { inputTokens: known = 0 } = sumTokens(calls.map(({ span }) => callTokensOf(span)))
  return total > known ? `the single model calls in "${several[0]?.span.name ?? ''}"` : undefined
}

/** Returns the model calls of a cycle during which a tool of the cycle ran. */
function callsWithTools(cycle: AdoptNode): AdoptNode[] {
  const below = cycle.kind === 'think_act' ? nearestBelow(cycle) : []
  const tools = below.filter(({ kind }) => kind === 'tool')
  return below.filter((call) => call.kind === 'llm' && tools.some((tool) => isDuring(tool, call)))
}

const isDuring = ({ span: tool }: AdoptNode, { span: call }: AdoptNode): boolean =>
  tool.startTimeUnixNano >= call.startTimeUnixNano && tool.endTimeUnixNano < call.endTimeUnixNano
