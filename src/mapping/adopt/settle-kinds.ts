import { append } from '../../base/append.js'
import { ATTR } from '../../semconv/index.js'
import { isResumed } from './mastra.js'
import { absorb, above, type AdoptNode, hasRole, move, nearestBelow, walk } from './adopt-node.js'
import { moveWorkToAgents } from './agent-work.js'
import { moveToCalls } from './called-agents.js'
import { agentNameOf, factOfNode } from './values/node-facts.js'
import { factOf } from './values/fact-place.js'
import { AGENT_NAME, LANGCHAIN_AGENT, MODEL_OUTPUT } from './values/fact-places.js'
import { objectIn } from './values/json-data.js'
import { callTokensOf, hasTokens } from './values/span-tokens.js'

/**
 * Settles the kind of each foreign span by its tree. Afterwards each node has a role, or the tree passes through it.
 */
export function settleKinds(nodes: readonly AdoptNode[], roots: readonly AdoptNode[]): void {
  const foreign = nodes.filter(({ own }) => own === undefined)
  for (const node of foreign.toReversed()) settleGeneration(node)
  for (const node of foreign) if (node.kind === 'llm' && isPreparation(node)) node.kind = 'none'
  for (const node of foreign) settleLangChain(node)
  for (const node of foreign) if (node.kind === 'retrieval') node.kind = 'tool'
  for (const node of foreign) if (node.kind === 'identity') nameAgents(node)
  moveWorkToAgents(foreign)
  moveToCalls(foreign)
  for (const node of foreign) if (node.kind === 'agent') joinSameAgent(node)
  for (const node of foreign) if (node.kind === 'agent' && onlyLeadsAgents(node)) node.kind = 'plan'
  settleChains(roots)
  for (const node of foreign) if (node.kind === 'agent') nameBySteps(node)
  for (const node of foreign) if (node.kind === 'plan' && isRepeatedPlan(node)) node.kind = 'group'
  for (const node of foreign) if (node.kind === 'handoff') placeNext(node)
}

/**
 * A generation that contains model calls, or cycles around them, is not a call itself. If it was recognized by its
 * tokens, it may be an agent with a sum of tokens, or only wrap the call.
 */
function settleGeneration(node: AdoptNode): void {
  if (node.kind !== 'generation') return
  const below = nearestBelow(node)
  const holdsCalls = below.some(({ kind }) => kind === 'llm' || kind === 'think_act')
  const isSum = node.guess !== undefined || node.convention !== 'mastra'
  const wraps = isSum && node.guess === undefined && below.length === 1
  node.kind = !holdsCalls || wraps ? 'llm' : isSum ? 'chain' : 'group'
}

/** Whether the output of a "model call" is the request of the call that follows: LlamaIndex records how it is made. */
function isPreparation({ span }: AdoptNode): boolean {
  const output = factOf(span, MODEL_OUTPUT)
  if (output === undefined || !REQUEST.test(output) || hasTokens(callTokensOf(span))) return false
  const request = objectIn(output)
  return request !== undefined && 'messages' in request && ('tools' in request || 'tool_choice' in request)
}

const REQUEST = /"tools"|"tool_choice"/

const NOISE = /^(ChannelWrite|Branch|Runnable)/

/** LangChain and LangGraph name the agent on every span. Only a node with that name may be above their tools. */
function settleLangChain(node: AdoptNode): void {
  if (node.kind === 'agent' && isRouter(node)) node.kind = 'group'
  if (node.kind !== 'chain' && node.kind !== 'span') return
  const name = factOf(node.span, LANGCHAIN_AGENT)
  if (name !== undefined && !isBelowAgent(node, name)) node.kind = 'agent'
  else if (node.kind === 'span' && isBelowTools(node) && !NOISE.test(node.span.name)) node.kind = 'tool'
}

/** OpenInference takes each function of LangGraph whose name contains `agent` for one. */
const isRouter = ({ span, children }: AdoptNode): boolean =>
  children.size === 0 && (span.attributes['metadata'] ?? '').includes('"langgraph_node"')

function isBelowAgent(node: AdoptNode, name: string): boolean {
  for (let at = node.parent; at && at.kind !== 'tool'; at = at.parent) {
    if (at.kind === 'agent' && factOf(at.span, LANGCHAIN_AGENT) === name) return true
  }
  return false
}

function isBelowTools(node: AdoptNode): boolean {
  for (let at = node.parent; at && (at.kind === 'chain' || !hasRole(at)); at = at.parent) {
    if (at.span.name === 'tools') return true
  }
  return false
}

/** An identity gives its name to the agent below it. */
function nameAgents(identity: AdoptNode): void {
  identity.kind = 'group'
  for (const agent of nearestBelow(identity)) if (agent.kind === 'agent') agent.twins.push(identity)
}

/** LlamaIndex names an agent only in the events that the steps of its workflow return, as Python writes them. */
function nameBySteps(agent: AdoptNode): void {
  if (factOfNode(agent, AGENT_NAME) !== undefined) return
  const names = new Set(
    [...agent.children].flatMap(({ span }) => STEP_OF_AGENT.exec(span.attributes['output.value'] ?? '')?.[1] ?? []),
  )
  const [name, ...others] = names
  if (name !== undefined && others.length === 0) agent.attributes[ATTR.agentName] = name
}

const STEP_OF_AGENT = /^Agent\w+\(.*\bcurrent_agent_name='([^'\\]+)'/s

/** An agent that only contains an agent of the same name is that agent. */
function joinSameAgent(agent: AdoptNode): void {
  for (;;) {
    const below = nearestBelow(agent)
    const inner = below.find(({ kind }) => kind === 'agent')
    const name = agentNameOf(agent)
    if (!inner || inner.own !== undefined || name === undefined || agentNameOf(inner) !== name) return
    if (below.some((node) => node !== inner && DOES.has(node.kind))) return
    absorb(agent, inner)
  }
}

const DOES: ReadonlySet<string> = new Set(['agent', 'llm', 'tool', 'think_act', 'plan'])

/** An agent that calls no model and no tool itself, but contains agents, is a plan. */
function onlyLeadsAgents(agent: AdoptNode): boolean {
  const kinds = new Set(nearestBelow(agent, ['think_act', 'guardrail', 'planning']).map(({ kind }) => kind))
  return kinds.has('agent') && !kinds.has('llm') && !kinds.has('tool')
}

/** The topmost chains become plans over agents, or agents over calls. The tree passes through the others. */
function settleChains(roots: readonly AdoptNode[]): void {
  const pending = [...roots]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === 'chain' || node.kind === 'span') node.kind = kindOfChain(node)
    // The chains in a plan may be its agents. Other nodes with a role keep what they contain.
    if (!hasRole(node) || node.kind === 'plan') append(pending, node.children)
    else settleChainsIn(node)
  }
}

/** A chain in a tool call that calls a model and tools is an agent that the tool called. */
function settleChainsIn(node: AdoptNode): void {
  const pending: AdoptNode[] = [...node.children]
  for (let below = pending.pop(); below; below = pending.pop()) {
    if (below.kind === 'chain' || below.kind === 'span')
      below.kind = above(below)?.kind === 'tool' && worksAsAgent(below) ? 'agent' : 'group'
    append(pending, below.children)
  }
}

function worksAsAgent(chain: AdoptNode): boolean {
  const kinds = new Set(nearestBelow(chain).map(({ kind }) => kind))
  return kinds.has('llm') && kinds.has('tool') && !kinds.has('agent')
}

function kindOfChain(node: AdoptNode): 'plan' | 'agent' | 'group' {
  let hasAgent = false
  let hasCall = false
  let hasChain = false
  for (const below of walk(node)) {
    if (below === node) continue
    if (below.kind === 'plan') return 'group'
    if (below.kind === 'agent') hasAgent = true
    if (below.kind === 'llm' || below.kind === 'tool') hasCall = true
    if (below.kind === 'chain') hasChain = true
  }
  if (hasAgent) return node.kind === 'chain' && above(node)?.kind !== 'plan' ? 'plan' : 'group'
  // Of nested candidates, an inner chain is preferred to an outer span.
  return hasCall && !(node.kind === 'span' && hasChain) ? 'agent' : 'group'
}

/** A plan directly in a plan, with no agent or tool between, repeats it, unless it resumes a run. */
const isRepeatedPlan = (node: AdoptNode): boolean => above(node)?.kind === 'plan' && !isResumed(node)

/** Moves the target of a handoff beside the agent that handed over. */
function placeNext(handoff: AdoptNode): void {
  handoff.kind = 'group'
  for (const agent of nearestBelow(handoff)) {
    const before = agent.kind === 'agent' ? above(agent) : undefined
    const place = before?.kind === 'agent' ? (above(before) ?? before.parent) : undefined
    if (place) move(agent, place)
  }
}
