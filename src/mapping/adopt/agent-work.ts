import { appendTo } from '../../base/append.js'
import { type AdoptNode, byStart, hasRole, move } from './adopt-node.js'
import { agentNameOf } from './values/node-facts.js'

/**
 * Moves the work of an agent below it, if the agent contains nothing and a span of its name beside it contains the
 * work: Traceloop records an agent of LangGraph and its node as siblings.
 */
export function moveWorkToAgents(nodes: readonly AdoptNode[]): void {
  const idle = new Map<AdoptNode, Map<string, AdoptNode[]>>()
  for (const node of nodes.toSorted(agentsFirst)) {
    const { kind, parent, children } = node
    const isIdle = kind === 'agent' && children.size === 0
    const name = parent && (isIdle || !hasRole(node)) ? agentNameOf(node) : undefined
    if (!parent || name === undefined) continue
    if (isIdle) {
      const byName = idle.get(parent) ?? new Map<string, AdoptNode[]>()
      idle.set(parent, byName)
      appendTo(byName, name, node)
    } else {
      const agent = idle.get(parent)?.get(name)?.shift()
      if (agent) move(node, agent)
    }
  }
}

/** Agents come before the spans that begin at the same time. */
const agentsFirst = (a: AdoptNode, b: AdoptNode): number =>
  a.span.startTimeUnixNano === b.span.startTimeUnixNano
    ? Number(b.kind === 'agent') - Number(a.kind === 'agent')
    : byStart(a, b)
