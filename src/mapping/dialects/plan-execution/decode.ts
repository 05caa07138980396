import { jsonArray, jsonLiteral, jsonNumber, type JsonMember, type JsonNode, type JsonObject } from '../../json/node.js'
import { tryParseJson } from '../../json/parse.js'
import { bare } from '../../json/write.js'
import { nearest, seqOf, type SpanNode } from '../../tree.js'
import type { Role } from '../../../semconv/index.js'
import type { Era } from './era.js'
import type { ObjectKind } from './properties.js'
import { formOf, ownsProperty, propertiesOf } from './read.js'
import type { SpanValues, ValuesOf } from './values.js'

/** What decoding needs to know: the writing, and where a span's values come from. */
export interface DecodeContext {
  readonly era: Era
  readonly valuesOf: ValuesOf
  /** The value of the extra key `planspan`, for an era that has it. */
  readonly extraOf?: (node: SpanNode) => JsonNode | undefined
  /** The agents of a plan and the wait that it shows, for spans that were not stored as a record. */
  readonly agentsOf?: (plan: SpanNode) => SpanNode[]
  readonly waitOf?: (plan: SpanNode) => SpanNode | undefined
  /** Leave the cycles of agents out, as Lynxe's plan details do. */
  readonly withoutCycles?: boolean
}

type Structure = (node: SpanNode, context: DecodeContext) => JsonNode | undefined

/** The keys of a record that no single field stands for. */
const STRUCTURES: Readonly<Record<ObjectKind, Readonly<Record<string, Structure>>>> = {
  plan: {
    agentExecutionSequence: (node, context) => list((context.agentsOf ?? agentsOf)(node), decodeAgent, context),
    userInputWaitState: (node, context) => {
      const wait = (context.waitOf ?? shownWaitOf)(node)
      return wait && decode(wait, 'wait', context)
    },
    parentActToolCall: (node, context) => parentCall(node, context),
  },
  agent: {
    thinkActSteps: (node, context) => list(context.withoutCycles ? [] : cyclesOf(node), decodeThinkAct, context),
    subPlanExecutionRecords: (node, context) => list(subPlansOf(node), decodePlan, context),
    completed: (node, context) => jsonLiteral(statusOf(node, context) === 'FINISHED'),
    running: (node, context) => jsonLiteral(statusOf(node, context) === 'RUNNING'),
    idle: (node, context) => jsonLiteral(statusOf(node, context) === 'IDLE'),
    subPlanCount: (node) => jsonNumber(String(subPlansOf(node).length)),
    completedThinkActStepsCount: () => jsonNumber('0'),
  },
  thinkAct: {
    subPlanExecutionRecord: (node, context) => {
      const [subPlan] = subPlansOf(node)
      return subPlan && decodePlan(subPlan, context)
    },
    actToolInfoList: (node, context) => {
      const tools = toolsOf(node)
      return tools.length > 0 ? list(tools, decodeTool, context) : undefined
    },
  },
  tool: {},
  wait: {},
}

export const decodePlan = (node: SpanNode, context: DecodeContext): JsonObject => decode(node, 'plan', context)
export const decodeAgent = (node: SpanNode, context: DecodeContext): JsonObject => decode(node, 'agent', context)
const decodeThinkAct = (node: SpanNode, context: DecodeContext): JsonObject => decode(node, 'thinkAct', context)
const decodeTool = (node: SpanNode, context: DecodeContext): JsonObject => decode(node, 'tool', context)

function decode(node: SpanNode, kind: ObjectKind, context: DecodeContext): JsonObject {
  const { era } = context
  const properties = propertiesOf(kind)
  const values = new Map<'self' | 'chat' | 'tool', SpanValues>()
  const valuesOn = (on: 'self' | 'chat' | 'tool'): SpanValues | undefined => {
    const target = on === 'self' ? node : on === 'chat' ? nearest(node, 'llm').at(-1) : toolsOf(node)[0]
    if (target && !values.has(on)) values.set(on, context.valuesOf(target))
    return values.get(on)
  }
  const valueOf = (key: string): JsonNode | undefined => {
    const structure = key === 'planspan' ? context.extraOf : structureOf(kind, key, era)
    if (structure) return structure(node, context)
    const property = properties[key]
    if (!property || !ownsProperty(era, kind, key)) return undefined
    const source = valuesOn(property.on)
    const value = (property.every ? source?.every : source?.own)?.[property.field]
    return value === undefined ? undefined : formOf(era, property).write(value)
  }
  const members: JsonMember[] = []
  for (const key of era.keys[kind]) {
    const value = valueOf(key) ?? (era.nulls === 'written' ? jsonLiteral(null) : undefined)
    const isLeftOut = era.nulls === 'omitted' && value?.kind === 'array' && value.items.length === 0
    if (value && !isLeftOut) members.push({ key: { kind: 'string', value: key }, value })
  }
  const slot = seqOf(node)
  return { kind: 'object', members, origin: node.span.spanId, ...(slot === undefined ? {} : { slot }) }
}

function structureOf(kind: ObjectKind, key: string, era: Era): Structure | undefined {
  const structure = STRUCTURES[kind][key]
  return kind === 'agent' && key in propertiesOf('agent') && !era.derivedAgentKeys.includes(key) ? undefined : structure
}

const list = (
  nodes: readonly SpanNode[],
  decodeOne: (node: SpanNode, context: DecodeContext) => JsonObject,
  context: DecodeContext,
): JsonNode => jsonArray(nodes.map((node) => decodeOne(node, context)))

/** Roles that may stand between an agent or a cycle and its sub-plans. */
const ABOVE_SUB_PLANS: readonly Role[] = ['think_act', 'tool', 'llm', 'guardrail', 'wait']

/** An agent that does not work in cycles is shown with one for each of its tool calls. */
export function cyclesOf(agent: SpanNode): SpanNode[] {
  const cycles = nearest(agent, 'think_act')
  return cycles.length > 0 ? cycles : nearest(agent, 'tool')
}

export const toolsOf = (cycle: SpanNode): SpanNode[] => (cycle.role === 'tool' ? [cycle] : nearest(cycle, 'tool'))
export const subPlansOf = (above: SpanNode): SpanNode[] => nearest(above, 'plan', ABOVE_SUB_PLANS)

const statusOf = (agent: SpanNode, context: DecodeContext): unknown => context.valuesOf(agent).every['status']

export const agentsOf = (plan: SpanNode): SpanNode[] => nearest(plan, 'agent', ['planning'])

/** Roles that may stand between a plan and its waits. */
export const ABOVE_WAITS: readonly Role[] = ['planning', 'agent', 'think_act', 'tool', 'guardrail']

/** The wait that an imported record shows. */
const shownWaitOf = (plan: SpanNode): SpanNode | undefined => nearest(plan, 'wait', ABOVE_WAITS).at(-1)

function parentCall(plan: SpanNode, context: DecodeContext): JsonNode | undefined {
  const stored = context.valuesOf(plan).own['parentToolCall']
  if (typeof stored === 'string') {
    const call = tryParseJson(stored)
    return call && bare(call)
  }
  const tool = context.valuesOf(plan).parentTool
  if (!tool) return undefined
  const { origin: _, slot: __, ...call } = decodeTool(tool, context)
  return call
}
