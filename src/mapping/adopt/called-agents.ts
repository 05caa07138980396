import { above, type AdoptNode, byStart, move } from './adopt-node.js'
import { TOOL_ARGUMENTS, TOOL_RESULT } from './values/fact-places.js'
import { factOfNode } from './values/node-facts.js'
import { NodesByText, textsOfCall, textsOfWork } from './work-texts.js'

/**
 * Moves each agent below the tool call that called it, if the agent is recorded beside that call or beside its agent:
 * it worked during the call, and its request or its answer is that of the call.
 */
export function moveToCalls(nodes: readonly AdoptNode[]): void {
  const calls = new Map<AdoptNode | undefined, NodesByText>()
  for (const node of nodes.filter(({ own, kind }) => own === undefined && WORKS.has(kind)).toSorted(byStart)) {
    if (node.kind === 'tool') addCall(calls, node)
    else if (node.parent) {
      const begun = calls.get(above(node))?.of(textsOfWork(node)) ?? []
      const [call] = begun.flatMap((some) => lastDuring(some, node) ?? []).sort((a, b) => byStart(b, a))
      if (call) move(node, call)
    }
  }
}

const WORKS: ReadonlySet<string> = new Set(['agent', 'tool'])

/** Adds a call to those of the places where the agents that it called may be recorded. */
function addCall(calls: Map<AdoptNode | undefined, NodesByText>, call: AdoptNode): void {
  const caller = callerOf(call)
  if (!caller) return
  const texts = textsOfCall({ arguments: factOfNode(call, TOOL_ARGUMENTS), result: factOfNode(call, TOOL_RESULT) })
  for (const place of [caller, above(caller)]) {
    const known = calls.get(place) ?? new NodesByText()
    calls.set(place, known)
    known.add(call, texts)
  }
}

function callerOf(call: AdoptNode): AdoptNode | undefined {
  const around = above(call)
  return around?.kind === 'think_act' ? above(around) : around
}

/** Returns the last of the calls before an agent that lasted until its end. Drops calls at the end that are over. */
function lastDuring(calls: AdoptNode[], agent: AdoptNode): AdoptNode | undefined {
  const { startTimeUnixNano: start, endTimeUnixNano: end } = agent.span
  for (let last = calls.at(-1); last && last.span.endTimeUnixNano < start; last = calls.at(-1)) calls.pop()
  return calls.findLast((call) => call.span.endTimeUnixNano >= end && callerOf(call) !== agent)
}
