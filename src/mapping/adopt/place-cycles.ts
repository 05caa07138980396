import { ATTR } from '../../semconv/index.js'
import type { AskedCall, CallsOf } from './calls/asked-calls.js'
import { derivedNode, extendOver } from './derived-node.js'
import { factOfNode } from './values/node-facts.js'
import { type AdoptNode, byStart, move, nearestBelow } from './adopt-node.js'
import { TOOL_CALL_ID, TOOL_NAME } from './values/fact-places.js'

/**
 * Places the work of each agent in cycles: the recorded cycles, and a new one for each model call outside of them. A
 * tool call joins the cycle whose model requested it, otherwise the last cycle that began before it.
 */
export function placeCycles(nodes: readonly AdoptNode[], callsOf: CallsOf): void {
  for (const node of nodes) if (node.kind === 'agent') placeBelow(node, callsOf)
}

interface Cycle {
  readonly node: AdoptNode
  readonly calls: readonly AskedCall[]
}

function placeBelow(agent: AdoptNode, callsOf: CallsOf): void {
  const below = nearestBelow(agent).sort(byStart)
  const foreign = below.filter(({ own }) => own === undefined)
  const recorded = below.filter(({ kind }) => kind === 'think_act')
  // An agent of planspan's own that works without cycles stays so.
  if (foreign.length === 0 || (recorded.length === 0 && below.some(({ own }) => own === 'llm' || own === 'tool')))
    return
  const made: AdoptNode[] = []
  const found: Cycle[] = recorded.map((node) => ({ node, calls: takeTools(node, callsOf) }))
  for (const node of foreign) {
    if (node.kind !== 'llm') continue
    const cycle = derivedNode('think_act', node.span)
    cycle.pending = node.pending
    move(cycle, agent)
    move(node, cycle)
    made.push(cycle)
    found.push({ node: cycle, calls: takeTools(cycle, callsOf) })
  }
  const cycles = new Cycles(found)
  for (const node of foreign.flatMap(wrappedTools)) move(node, agent)
  // A tool call may begin the cycle that a guardrail before it joins.
  const joining = nearestBelow(agent).filter(({ kind, own }) => own === undefined && JOINS.has(kind))
  for (const node of joining.sort(byStart).sort(toolsFirst)) {
    let cycle = cycles.placeOf(node)
    if (!cycle && node.kind === 'tool') {
      cycle = { node: derivedNode('think_act', node.span), calls: [] }
      cycles.addFirst(cycle)
      move(cycle.node, agent)
      made.push(cycle.node)
    }
    if (cycle) move(node, cycle.node)
  }
  for (const { node, calls } of cycles.all) if (node.own === undefined) orderTools(node, calls)
  for (const cycle of made) extendOver(cycle, nearestBelow(cycle))
}

const JOINS: ReadonlySet<string> = new Set(['tool', 'guardrail', 'plan'])

const toolsFirst = (a: AdoptNode, b: AdoptNode): number => Number(b.kind === 'tool') - Number(a.kind === 'tool')

/** Returns the tool calls that a guardrail wraps. The calls of a guardrail with models or agents are its own. */
function wrappedTools(node: AdoptNode): AdoptNode[] {
  const below = node.kind === 'guardrail' ? nearestBelow(node) : []
  return below.every(({ kind, own }) => kind === 'tool' && own === undefined) ? below : []
}

/** Returns the calls that a cycle's models requested. Tools below those models move to the cycle. */
function takeTools(cycle: AdoptNode, callsOf: CallsOf): readonly AskedCall[] {
  const models = nearestBelow(cycle).filter(({ kind }) => kind === 'llm')
  for (const model of models) {
    for (const tool of nearestBelow(model)) if (tool.own === undefined && tool.kind === 'tool') move(tool, cycle)
  }
  return [cycle, ...models].flatMap(callsOf)
}

/** The cycles of an agent in order, with the calls that they requested. */
class Cycles {
  readonly #inOrder: Cycle[]
  readonly #byCall = new Map<string, Cycle>()

  constructor(cycles: readonly Cycle[]) {
    this.#inOrder = cycles.toSorted((a, b) => byStart(a.node, b.node))
    for (const cycle of this.#inOrder)
      for (const { id } of cycle.calls) if (id !== undefined) this.#byCall.set(id, cycle)
  }

  get all(): readonly Cycle[] {
    return this.#inOrder
  }

  /**
   * Returns the cycle that requested a tool call, otherwise the last that began before the node. Nodes other than calls
   * may also precede the first cycle.
   */
  placeOf(node: AdoptNode): Cycle | undefined {
    if (node.kind !== 'tool') return this.#lastBefore(node) ?? this.#inOrder[0]
    return this.#byCall.get(factOfNode(node, TOOL_CALL_ID) ?? '') ?? this.#lastBefore(node)
  }

  addFirst(cycle: Cycle): void {
    this.#inOrder.unshift(cycle)
  }

  #lastBefore(node: AdoptNode): Cycle | undefined {
    let [from, to] = [0, this.#inOrder.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (byStart((this.#inOrder[middle] as Cycle).node, node) < 0) from = middle + 1
      else to = middle
    }
    return this.#inOrder[from - 1]
  }
}

/** Orders tools that began at the same time as the model requested them. */
function orderTools(cycle: AdoptNode, calls: readonly AskedCall[]): void {
  const tools = nearestBelow(cycle).filter(({ kind, own }) => kind === 'tool' && own === undefined)
  if (tools.length < 2) return
  const place = (tool: AdoptNode): number => {
    const id = factOfNode(tool, TOOL_CALL_ID)
    const index = calls.findIndex((call) =>
      id === undefined ? call.name === factOfNode(tool, TOOL_NAME) : call.id === id,
    )
    return index < 0 ? calls.length : index
  }
  const places = new Map(tools.map((tool) => [tool, place(tool)]))
  tools.sort((a, b) =>
    a.span.startTimeUnixNano === b.span.startTimeUnixNano
      ? (places.get(a) ?? 0) - (places.get(b) ?? 0) || byStart(a, b)
      : byStart(a, b),
  )
  for (const [seq, tool] of tools.entries()) tool.attributes[ATTR.seq] = String(seq)
}
