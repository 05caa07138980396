import { append } from '../../append.js'
import { type AdoptNode, move, nearestBelow } from './adopt-node.js'

const WRAPPERS: ReadonlySet<string> = new Set(['plan', 'agent', 'think_act', 'planning'])

/**
 * What other instrumentations tell below planspan's own spans is their content. A wrapper of a call, cycle or agent is
 * that call, cycle or agent; an agent beside what an agent or a cycle does itself is another one, a sub-plan of it.
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
      // The calls that an answer asked for are the cycle's.
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

/** The agents, plans and cycles below a node become groups; agents that a tool called stay what they are. */
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
