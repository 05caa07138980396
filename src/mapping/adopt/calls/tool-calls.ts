import { appendTo } from '../../../base/append.js'
import { ATTR } from '../../../semconv/index.js'
import type { AskedCall, CallsOf } from './asked-calls.js'
import { type CallResult, CallResults } from './call-results.js'
import { TOOL_CALL_ID } from '../values/fact-places.js'
import { kindRuleOf } from '../kind-of.js'
import { HANDOFF_NAME } from '../kind-rules.js'
import { matchCalls } from './match-calls.js'
import { type AdoptNode, byStart, move, nearestBelow, walk } from '../adopt-node.js'
import { factOfNode } from '../values/node-facts.js'
import { NodesByText, textsOfCall, textsOfWork } from '../work-texts.js'
import { rebuildCall } from './rebuild-call.js'

/** What the messages of models say about tool calls. */
export interface ToolCalls {
  /** Returns the request that a tool call answers. */
  readonly requestOf: (tool: AdoptNode) => AskedCall | undefined
  /** Returns the result of a tool call in the messages. */
  readonly resultOf: (tool: AdoptNode) => CallResult | undefined
}

/** The requests of one cycle, in order, and the model call that got their results. */
export interface Asking {
  readonly cycle: AdoptNode
  readonly agent: AdoptNode
  readonly asked: readonly AskedCall[]
  readonly next: AdoptNode | undefined
}

/**
 * Matches the tool calls of a trace with the requests of its models, and derives the tool calls that no span reports.
 * Handoffs are no tool calls.
 */
export function placeToolCalls(nodes: readonly AdoptNode[], callsOf: CallsOf): ToolCalls {
  const results = new CallResults(nodes)
  const requests = new Map<AdoptNode, AskedCall>()
  const places = new Map<AskedCall, readonly [position: number, next: AdoptNode | undefined]>()
  const unmet: (readonly [Asking, AskedCall])[] = []
  const spare = new Map<string, AdoptNode[]>()
  for (const asking of nodes.flatMap((node) => (node.kind === 'agent' ? askingsOf(node, callsOf) : []))) {
    const matches = matchCalls(toolsOf(asking.cycle), asking.asked)
    for (const [tool, call] of matches.requests) requests.set(tool, call)
    for (const tool of matches.spare) {
      const id = factOfNode(tool, TOOL_CALL_ID)
      if (id !== undefined) appendTo(spare, id, tool)
    }
    for (const [position, call] of asking.asked.entries()) places.set(call, [position, asking.next])
    for (const call of withoutHandoffs(matches.unmet, asking.cycle)) unmet.push([asking, call])
  }
  const resultFor = (call: AskedCall | undefined): CallResult | undefined => {
    const place = call && places.get(call)
    return place && results.of(call, ...place)
  }
  // A tool call may run in another cycle than the one that requested it.
  const missing = unmet.filter(([, call]) => {
    const tool = call.id === undefined ? undefined : spare.get(call.id)?.pop()
    if (tool) requests.set(tool, call)
    return !tool
  })
  const sendTools = new Set(nodes.filter(isSentTool).map(({ convention }) => convention))
  const subPlans = new Map<AdoptNode, NodesByText>()
  for (const [asking, call] of missing) {
    const sendsTools = sendTools.has(call.model.convention)
    const result = resultFor(call)
    const tool = rebuildCall(asking, { call, result, sendsTools })
    requests.set(tool, call)
    const plans = subPlans.get(asking.cycle) ?? plansBelow(asking.cycle)
    subPlans.set(asking.cycle, plans)
    const called = plans.of(textsOfCall({ arguments: call.arguments, result: result?.text })).flat()
    const plan = called.find(({ parent }) => parent?.kind !== 'tool')
    if (plan) move(plan, tool)
  }
  const positionOf = (tool: AdoptNode): number => places.get(requests.get(tool) as AskedCall)?.[0] ?? Infinity
  for (const cycle of new Set(missing.map(([{ cycle }]) => cycle))) orderCalls(cycle, positionOf)
  return {
    requestOf: (tool) => requests.get(tool),
    resultOf: (tool) => resultFor(requests.get(tool)),
  }
}

/** Returns the plans of other instrumentations in a cycle, which a call may have begun. */
function plansBelow(cycle: AdoptNode): NodesByText {
  const plans = new NodesByText()
  for (const node of nearestBelow(cycle)) {
    if (node.kind === 'plan' && node.own === undefined) plans.add(node, textsOfWork(node))
  }
  return plans
}

const toolsOf = (cycle: AdoptNode): AdoptNode[] =>
  nearestBelow(cycle)
    .filter(({ kind }) => kind === 'tool')
    .sort(byStart)

const isSentTool = ({ kind, rows }: AdoptNode): boolean => kind === 'tool' && rows.length > 0

/** Returns the cycles of an agent with their requests. Planspan's own model calls are not read. */
function askingsOf(agent: AdoptNode, callsOf: CallsOf): Asking[] {
  const cycles = nearestBelow(agent)
    .filter(({ kind }) => kind === 'think_act')
    .sort(byStart)
  const models = cycles.map((cycle) => nearestBelow(cycle).filter(({ kind }) => kind === 'llm'))
  const known = new Set<string>()
  /** A repeated answer requests the same calls. */
  const isNew = ({ id, arguments: args = '' }: AskedCall): boolean => {
    const key = `${id} ${args}`
    const isKnown = id !== undefined && known.has(key)
    known.add(key)
    return !isKnown
  }
  return cycles.map((cycle, at): Asking => {
    const foreign = [cycle, ...(models[at] ?? [])].filter(({ own }) => own === undefined)
    const asked = foreign.flatMap(callsOf).filter(isNew)
    const next = models.slice(at + 1).find((each) => each.length > 0)?.[0]
    return { cycle, agent, asked, next }
  })
}

/** Drops the requests of handoffs: by their names, otherwise the only one beside the span of a handoff. */
function withoutHandoffs(unmet: readonly AskedCall[], cycle: AdoptNode): readonly AskedCall[] {
  const calls = unmet.filter(({ name }) => !HANDOFF_NAME.test(name ?? ''))
  if (calls.length !== 1 || calls.length < unmet.length) return calls
  return [...walk(cycle)].some(({ span }) => kindRuleOf(span)?.kind === 'handoff') ? [] : calls
}

/** Orders the calls of a cycle as its models requested them. */
function orderCalls(cycle: AdoptNode, positionOf: (tool: AdoptNode) => number): void {
  const tools = toolsOf(cycle)
  const positions = new Map(tools.map((tool) => [tool, positionOf(tool)]))
  tools.sort((a, b) => (positions.get(a) as number) - (positions.get(b) as number) || byStart(a, b))
  for (const [seq, tool] of tools.entries()) tool.attributes[ATTR.seq] = String(seq)
}
