import { ATTR } from '../../semconv/index.js'
import type { AskedCall, CallsOf } from './asked-calls.js'
import { madeUp, spread } from './make-up.js'
import { toldBy } from './names.js'
import { type AdoptNode, byStart, move, nearestBelow } from './node.js'
import { TOOL_CALL_ID, TOOL_NAME } from './places.js'

/**
 * Puts what each agent does into its cycles: those that are told, and one for each model call outside of them. A tool
 * call joins the cycle whose model asked for it, else the last that began before it.
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
  const told = below.filter(({ kind }) => kind === 'think_act')
  // An agent of planspan's own that works without cycles goes on to do so.
  if (foreign.length === 0 || (told.length === 0 && below.some(({ own }) => own === 'llm' || own === 'tool'))) return
  const made: AdoptNode[] = []
  const cycles: Cycle[] = told.map((node) => ({ node, calls: takeTools(node, callsOf) }))
  for (const node of foreign) {
    if (node.kind !== 'llm') continue
    const cycle = madeUp('think_act', node.span)
    cycle.pending = node.pending
    move(cycle, agent)
    move(node, cycle)
    made.push(cycle)
    cycles.push({ node: cycle, calls: takeTools(cycle, callsOf) })
  }
  cycles.sort((a, b) => byStart(a.node, b.node))
  for (const node of foreign) {
    if (!JOINS.has(node.kind)) continue
    let cycle = cycleFor(node, cycles)
    if (!cycle && node.kind === 'tool') {
      cycle = { node: madeUp('think_act', node.span), calls: [] }
      cycles.unshift(cycle)
      move(cycle.node, agent)
      made.push(cycle.node)
    }
    if (cycle) move(node, cycle.node)
  }
  for (const { node, calls } of cycles) if (node.own === undefined) orderTools(node, calls)
  for (const cycle of made) spread(cycle, nearestBelow(cycle))
}

const JOINS: ReadonlySet<string> = new Set(['tool', 'guardrail', 'plan'])

/** The calls of a cycle's models; the tools that hang below those are the cycle's. */
function takeTools(cycle: AdoptNode, callsOf: CallsOf): readonly AskedCall[] {
  const models = nearestBelow(cycle).filter(({ kind }) => kind === 'llm')
  for (const model of models) {
    for (const tool of nearestBelow(model)) if (tool.own === undefined && tool.kind === 'tool') move(tool, cycle)
  }
  return models.flatMap(callsOf)
}

function cycleFor(node: AdoptNode, cycles: readonly Cycle[]): Cycle | undefined {
  const id = node.kind === 'tool' ? toldBy(node, TOOL_CALL_ID) : undefined
  const asked = id === undefined ? undefined : cycles.findLast(({ calls }) => calls.some((call) => call.id === id))
  return (
    asked ?? cycles.findLast((cycle) => byStart(cycle.node, node) < 0) ?? (node.kind === 'tool' ? undefined : cycles[0])
  )
}

/** Tools that began at once stand in the order in which the model asked for them. */
function orderTools(cycle: AdoptNode, calls: readonly AskedCall[]): void {
  const tools = nearestBelow(cycle).filter(({ kind, own }) => kind === 'tool' && own === undefined)
  if (tools.length < 2) return
  const place = (tool: AdoptNode): number => {
    const id = toldBy(tool, TOOL_CALL_ID)
    const index = calls.findIndex((call) => (id === undefined ? call.name === toldBy(tool, TOOL_NAME) : call.id === id))
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
