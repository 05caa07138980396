import { append } from '../../base/append.js'
import { type AdoptNode, move, nearestBelow } from './adopt-node.js'

const WRAPPERS: ReadonlySet<string> = new Set(['plan', 'agent', 'think_act', 'planning'])

/**
 * Fits the spans of other instrumentations below planspan's own spans into them. A wrapper of a call, cycle or agent
 * becomes part of it. An agent beside the work of another agent or cycle becomes a sub-plan of it.
 */
export function fitIntoOwn(nodes: readonly AdoptNode[]): void {
  for (const node of nodes) if (node.own !== undefined) fitBelow(node)
}

function fitBelow(own: AdoptNode): void {
  const below = nearestBelow(own)
  const foreign = below.filter((node) => node.own === undefined)
  if (foreign.length === 0) return
  switch (own.own) {
    case 'llm':
      unwrap(own)
      // Tool calls that an answer requested belong to the cycle.
      for (const tool of nearestBelow(own))
        if (tool.own === undefined && tool.kind === 'tool' && own.parent) move(tool, own.parent)
      return
    case 'planning':
    case 'guardrail':
      unwrap(own)
      return
    case 'think_act':
      if (!below.some((node) => node.own === 'llm' || node.own === 'tool')) unwrap(own)
      return
    case 'agent': {
      const doesMore = below.some((node) => node.own !== undefined && node.own !== 'wait')
      const [agent, ...others] = foreign.filter(({ kind }) => WRAPPERS.has(kind) && kind !== 'think_act')
      if (!doesMore && agent && others.length === 0) takeOver(own, agent)
    }
  }
}

/** Turns the agents, plans and cycles below a node into groups. Agents that a tool called stay agents. */
function unwrap(own: AdoptNode): void {
  for (;;) {
    const wrappers = nearestBelow(own).filter((node) => node.own === undefined && WRAPPERS.has(node.kind))
    if (wrappers.length === 0) return
    for (const wrapper of wrappers) takeOver(own, wrapper)
  }
}

function takeOver(own: AdoptNode, wrapper: AdoptNode): void {
  wrapper.kind = 'group'
  append(own.twins, [wrapper, ...wrapper.twins])
}
