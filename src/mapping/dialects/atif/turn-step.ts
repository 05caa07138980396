import { agentFields, ATTR, decodeFields, llmFields, planningFields } from '../../../semconv/index.js'
import {
  jsonArray,
  jsonFromValue,
  jsonString,
  type JsonNode,
  type JsonObject,
  type JsonValue,
} from '../../json/index.js'
import { type HomeValues, isoOf } from '../../record-object/index.js'
import { isUnfinished, nearest, type SpanNode } from '../../tree/index.js'
import { ERAS } from './era.js'
import { calledOf, resultOf, type Refer } from './called-tool.js'
import { answerOf } from './model-answer.js'
import { trajectoriesBelow } from './trajectories-below.js'
import type { Turn } from './turns.js'

const { objects } = ERAS.planspan

/** Embeds a trajectory in the document and returns its id. */
export type Embed = (node: SpanNode) => string

interface StepContext {
  /** Whether model calls are recorded, so that a step without one had none. */
  readonly isCounted: boolean
  readonly embed: Embed
  readonly agents: readonly SpanNode[]
  /** The request of the whole trajectory. */
  readonly request: string | undefined
}

/** The user's request, which is not a turn. */
interface Request {
  readonly node: SpanNode
  readonly request: string | undefined
}

/** Writes one step. Undefined for an agent's request that is already written. */
export function stepOf(turn: Turn | Request, index: number, context: StepContext): JsonObject | undefined {
  if (!('isRequest' in turn)) return messageOf(turn.node, index, { source: 'user', text: turn.request ?? '' })
  if (!turn.isRequest) return actingStep(turn, index, context)
  const { request } = decodeFields(agentFields, turn.node.span.attributes)
  if (request === undefined || request === context.request) return undefined
  return messageOf(turn.node, index, { source: 'system', text: request, extra: { role: 'request', agent: turn.agent } })
}

interface MessageContent {
  readonly source: string
  readonly text: string
  readonly extra?: Readonly<Record<string, JsonValue | undefined>>
}

function messageOf(node: SpanNode, index: number, { source, text, extra = {} }: MessageContent): JsonObject {
  const message = objects.message.write({
    event: { timestamp: timestampOf(node), role: source },
    parts: { step_id: numberOf(index + 1), message: jsonString(text) },
  })
  return withExtra(message, extra)
}

const numberOf = (number: number): JsonNode => ({ kind: 'number', text: String(number) })

/** Python reads at most microseconds. */
const timestampOf = (node: SpanNode): string | undefined =>
  node.span.attributes[ATTR.timeSynthetic] === 'true' && !isUnfinished(node)
    ? undefined
    : isoOf((node.span.startTimeUnixNano / 1000n) * 1000n)

const AGENT = jsonString('agent')

/** Writes a step for a cycle, a planning, or for what an agent or a plan did outside of both. */
function actingStep({ node, agent }: Turn, index: number, { isCounted, embed, agents }: StepContext): JsonObject {
  const calls = nearest(node, 'llm')
  const answer = answerOf(calls)
  const main = calls.at(-1)
  const tools = nearest(node, 'tool')
  const refer: Refer = (trajectories) => trajectories.map((one) => ({ trajectory_id: embed(one) }))
  const idOf = uniqueIds()
  const called = tools.map((tool) => calledOf(tool, idOf(tool), refer))
  const isCycle = node.role === 'think_act' || node.role === 'planning'
  const parts = new Set([...tools, ...agents, ...(main ? [main] : [])])
  const isOther = (one: SpanNode): boolean =>
    parts.has(one) || (!isCycle && one.role !== 'llm' && one.role !== 'plan' && one.role !== 'agent')
  // Work that a model call started belongs to its step.
  const references = refer([...trajectoriesBelow(node, isOther), ...(main ? trajectoriesBelow(main) : [])])
  const results = [
    ...called.flatMap(({ result }) => result ?? []),
    ...(references.length > 0 ? [resultOf({ references })] : []),
  ]
  const values: HomeValues<'think_act'> = {
    index,
    startTime: timestampOf(node),
    modelCalls: calls.length > 0 || isCounted ? calls.length : undefined,
  }
  const step = objects.step.write({
    think_act: values,
    llm: answer ?? {},
    parts: {
      source: AGENT,
      message: jsonString(answer?.output ?? saidWithout(node)),
      tool_calls: called.length > 0 ? jsonArray(called.map(({ call }) => call)) : undefined,
      results: results.length > 0 ? jsonArray(results) : undefined,
    },
  })
  const system = main && decodeFields(llmFields, main.span.attributes).system
  const extended = withExtra(step, { role: node.role, agent, modelCall: system === undefined ? undefined : { system } })
  return { ...extended, origin: node.span.spanId }
}

/** Returns the text of a step without a model's answer: an agent's result, or a planning's steps. */
function saidWithout({ role, span }: SpanNode): string {
  if (role === 'agent') return decodeFields(agentFields, span.attributes).result ?? ''
  if (role === 'planning') return (decodeFields(planningFields, span.attributes).steps ?? []).join('\n')
  return ''
}

/** Adds what chat messages need: the agent of a step and the instructions of its model. */
function withExtra({ members }: JsonObject, values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const isEmpty = Object.values(values).every((value) => value === undefined)
  const extra = isEmpty ? undefined : jsonFromValue({ planspan: values })
  return { kind: 'object', members: extra ? [...members, { key: jsonString('extra'), value: extra }] : members }
}

/** Returns a function for unique ids of a step's calls: the call's own, unless it is missing or taken. */
function uniqueIds(): (tool: SpanNode) => string {
  const taken = new Set<string>()
  let count = 0
  return ({ span }) => {
    count++
    let id = span.attributes[ATTR.toolCallId] ?? `call_${count}`
    for (let again = 2; taken.has(id); again++) id = `${id}~${again}`
    taken.add(id)
    return id
  }
}
