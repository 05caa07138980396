import { type AdoptNode, byStart, move } from './adopt-node.js'
import { factOf } from './values/fact-place.js'
import { AGENT_OF_CALL } from './values/fact-places.js'
import { agentNameOf } from './values/node-facts.js'

/**
 * Moves each call to the agent that it names, if that agent is recorded beside the call or beside a span above it:
 * LangGraph records a sub-agent and its work as siblings under some instrumentations.
 */
export function moveToNamedAgents(nodes: readonly AdoptNode[]): void {
  if (!nodes.some(({ kind }) => kind === 'agent')) return
  const begun: Begun = new Map()
  for (const node of nodes.toSorted(inTime)) {
    if (node.kind === 'agent' && node.parent) addTo(begun, node.parent, node)
    if (node.kind !== 'llm' && node.kind !== 'tool') continue
    const name = factOf(node.span, AGENT_OF_CALL)
    const agent = name === undefined ? undefined : agentBeside(node, { name, begun })
    if (agent) move(node, agent)
  }
}

/** Agents come before the calls that begin at the same time. */
const inTime = (a: AdoptNode, b: AdoptNode): number =>
  a.span.startTimeUnixNano === b.span.startTimeUnixNano
    ? Number(b.kind === 'agent') - Number(a.kind === 'agent')
    : byStart(a, b)

/** The agents that have begun, by their parent and name. */
type Begun = Map<AdoptNode, Map<string, readonly AdoptNode[]>>

function addTo(begun: Begun, parent: AdoptNode, agent: AdoptNode): void {
  const name = agentNameOf(agent)
  if (name === undefined) return
  const byName = begun.get(parent) ?? new Map<string, readonly AdoptNode[]>()
  const working = (byName.get(name) ?? []).filter((other) => isDuring(agent, other))
  begun.set(parent, byName.set(name, [...working, agent]))
}

/** Returns the agent of a name beside a call. Undefined if the call is already below an agent of that name. */
function agentBeside(call: AdoptNode, { name, begun }: { name: string; begun: Begun }): AdoptNode | undefined {
  for (let at = call.parent; at; at = at.parent) {
    if (at.kind === 'agent' && agentNameOf(at) === name) return undefined
    const beside = begun
      .get(at)
      ?.get(name)
      ?.findLast((agent) => isDuring(call, agent))
    if (beside) return beside
  }
  return undefined
}

/** Whether a node began before an agent that began earlier had ended. */
const isDuring = ({ span }: AdoptNode, { span: agent, pending }: AdoptNode): boolean =>
  pending || span.startTimeUnixNano <= agent.endTimeUnixNano
