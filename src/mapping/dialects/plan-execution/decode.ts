import type { Role } from '../../../semconv/index.js'
import { isNotTaken } from '../../faults/index.js'
import {
  jsonArray,
  jsonLiteral,
  jsonNumber,
  type JsonNode,
  type JsonObject,
  tryParseJson,
  bare,
} from '../../json/index.js'
import {
  type HomeValues,
  type Values,
  type ValuesOf,
  ofSpan,
  onceEach,
  type PartKeys,
  type RecordObject,
} from '../../record-object/index.js'
import { ancestors, nearest, type SpanNode } from '../../tree/index.js'
import type { ObjectKind, PlanExecutionEra } from './era.js'
import type { LYNXE } from './properties.js'

/** The era to write, and the source of a span's values. */
export interface DecodeContext {
  readonly era: PlanExecutionEra
  readonly valuesOf: ValuesOf
  /** Returns the value of the extra key `planspan`, for an era that has it. */
  readonly extraOf?: (node: SpanNode) => JsonNode | undefined
  /** Returns the agents of a plan, for spans that were not imported. */
  readonly agentsOf?: (plan: SpanNode) => SpanNode[]
  readonly waitOf?: (plan: SpanNode) => SpanNode | undefined
  /** Returns sub-plans in order, for spans that were not imported. */
  readonly subPlansOf?: (above: SpanNode) => SpanNode[]
  /** Whether the cycles of agents are left out, as in Lynxe's plan details. */
  readonly withoutCycles?: boolean
}

/** The state of a decoding. */
interface Decoding extends DecodeContext {
  /** Returns a span's object, which is filled later: plans can nest deeper than the stack. */
  readonly objectOf: (node: SpanNode, kind: ObjectKind) => JsonObject
}

type Maker = (node: SpanNode, context: Decoding) => JsonNode | undefined

const planspan: Maker = (node, { extraOf }) => extraOf?.(node)
const nothing: Maker = () => undefined
const isStatus =
  (word: string): Maker =>
  (node, context) =>
    jsonLiteral((context.valuesOf(node) as HomeValues<'agent'>).status === word)

/** The functions that build the parts of each object. */
const MAKERS: { readonly [Kind in ObjectKind]: Readonly<Record<PartKeys<(typeof LYNXE)[Kind]>, Maker>> } = {
  plan: {
    agentExecutionSequence: (node, context) => objectsOf((context.agentsOf ?? agentsOf)(node), 'agent', context),
    userInputWaitState: (node, context) => {
      const wait = (context.waitOf ?? shownWaitOf)(node)
      return wait && context.objectOf(wait, 'wait')
    },
    parentActToolCall: (node, context) => parentCall(node, context),
    planspan,
  },
  agent: {
    thinkActSteps: (node, context) => objectsOf(context.withoutCycles ? [] : cyclesOf(node), 'thinkAct', context),
    subPlanExecutionRecords: (node, context) => objectsOf((context.subPlansOf ?? subPlansOf)(node), 'plan', context),
    completed: isStatus('FINISHED'),
    running: isStatus('RUNNING'),
    idle: isStatus('IDLE'),
    subPlanCount: (node) => jsonNumber(String(subPlansOf(node).length)),
    completedThinkActStepsCount: () => jsonNumber('0'),
    planspan,
  },
  thinkAct: {
    toolName: nothing,
    toolParameters: nothing,
    subPlanExecutionRecord: (node, context) => {
      const [subPlan] = (context.subPlansOf ?? subPlansOf)(node)
      return subPlan && context.objectOf(subPlan, 'plan')
    },
    actToolInfoList: (node, context) => {
      const tools = toolsOf(node)
      return tools.length > 0 ? objectsOf(tools, 'tool', context) : undefined
    },
    planspan,
  },
  tool: { planspan },
  wait: {},
}

/** Writes a span's object with those of all spans below it. */
export function decode(root: SpanNode, kind: ObjectKind, context: DecodeContext): JsonObject {
  const unwritten: { readonly node: SpanNode; readonly kind: ObjectKind; readonly object: JsonObject }[] = []
  const objectOf = (node: SpanNode, kind: ObjectKind): JsonObject => {
    const object: JsonObject = { kind: 'object', members: [] }
    unwritten.push({ node, kind, object })
    return object
  }
  const document = objectOf(root, kind)
  const decoding = { ...context, valuesOf: onceEach(context.valuesOf), objectOf }
  for (let next = unwritten.pop(); next; next = unwritten.pop()) {
    Object.assign(next.object, written(next.node, next.kind, decoding))
  }
  return document
}

/** Writes one span's object. A cycle includes the values of its last model call and its first tool call. */
function written(node: SpanNode, kind: ObjectKind, context: Decoding): JsonObject {
  const object: RecordObject = context.era.objects[kind]
  const makers: Readonly<Record<string, Maker>> = MAKERS[kind]
  const parts = Object.fromEntries(object.partKeys.map((key) => [key, makers[key]?.(node, context)]))
  const below = kind === 'thinkAct' ? valuesBelow(node, context) : {}
  const all = ofSpan(node, object.write({ ...below, [object.home]: context.valuesOf(node), parts }))
  // Only calls of other instrumentations have this key.
  const hasExtra = kind !== 'tool' || parts['planspan'] !== undefined
  const written = hasExtra ? all : { ...all, members: all.members.filter(({ key }) => key.value !== 'planspan') }
  // A call that was not made has no stored span to keep deviations. A call that is also shown as a cycle keeps those of
  // its own object.
  if (isNotTaken(node) || (kind === 'thinkAct' && node.role === 'tool')) delete written.origin
  return written
}

function valuesBelow(cycle: SpanNode, { valuesOf }: DecodeContext): { readonly llm?: Values; readonly tool?: Values } {
  const call = nearest(cycle, 'llm').at(-1)
  const tool = toolsOf(cycle)[0]
  return { ...(call && { llm: valuesOf(call) }), ...(tool && { tool: valuesOf(tool) }) }
}

const objectsOf = (nodes: readonly SpanNode[], kind: ObjectKind, { objectOf }: Decoding): JsonNode =>
  jsonArray(nodes.map((node) => objectOf(node, kind)))

/** Roles that may be between an agent or a cycle and its sub-plans. */
const ABOVE_SUB_PLANS: readonly Role[] = ['think_act', 'tool', 'llm', 'guardrail', 'wait']

/** Returns the cycles of an agent. An agent without cycles has one for each of its tool calls. */
export function cyclesOf(agent: SpanNode): SpanNode[] {
  const cycles = nearest(agent, 'think_act')
  return cycles.length > 0 ? cycles : nearest(agent, 'tool')
}

export const toolsOf = (cycle: SpanNode): SpanNode[] => (cycle.role === 'tool' ? [cycle] : nearest(cycle, 'tool'))
export const subPlansOf = (above: SpanNode): SpanNode[] => nearest(above, 'plan', ABOVE_SUB_PLANS)

export const agentsOf = (plan: SpanNode): SpanNode[] => nearest(plan, 'agent', ['planning'])

/** Roles that may be between a plan and its waits. */
export const ABOVE_WAITS: readonly Role[] = ['planning', 'agent', 'think_act', 'tool', 'guardrail']

/** Returns the wait that an imported record shows. */
const shownWaitOf = (plan: SpanNode): SpanNode | undefined => nearest(plan, 'wait', ABOVE_WAITS).at(-1)

function parentCall(plan: SpanNode, context: Decoding): JsonNode | undefined {
  const { parentToolCall }: HomeValues<'plan'> = context.valuesOf(plan)
  if (parentToolCall !== undefined) {
    const call = tryParseJson(parentToolCall)
    return call && bare(call)
  }
  for (const above of ancestors(plan)) {
    if (above.role === 'tool') return bare(written(above, 'tool', context))
    if (above.role !== undefined) break
  }
  return undefined
}
