import { ATTR } from '../../semconv/index.js'
import { type AdoptNode, move, nearestBelow } from './adopt-node.js'
import { derivedNode, extendOver } from './derived-node.js'
import { TOOL_NAME } from './values/fact-places.js'
import { factOfNode } from './values/node-facts.js'

/**
 * Derives an agent in each tool call that contains both model calls and tool calls, and returns these agents. A tool
 * that only calls models is no agent.
 */
export function deriveSubAgents(nodes: readonly AdoptNode[]): AdoptNode[] {
  return nodes.flatMap((tool) => {
    if (tool.own !== undefined || tool.kind !== 'tool') return []
    const work = nearestBelow(tool)
    const [first] = work
    if (!first || !['llm', 'tool'].every((kind) => work.some((node) => node.kind === kind && node.own === undefined)))
      return []
    if (work.some(({ kind }) => kind === 'agent' || kind === 'plan')) return []
    const agent = derivedNode('agent', first.span)
    extendOver(agent, work)
    const name = factOfNode(tool, ['subagent_type', ...TOOL_NAME])
    if (name !== undefined) agent.attributes[ATTR.agentName] = name
    for (const node of work) move(node, agent)
    move(agent, tool)
    return [agent]
  })
}
