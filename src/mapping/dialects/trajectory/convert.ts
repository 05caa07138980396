import { ATTR, type FieldValue, type Role } from '../../../semconv/index.js'
import { jsonObject, jsonString, type JsonArray, type JsonNode, type JsonObject } from '../../json/node.js'
import { tryParseJson } from '../../json/parse.js'
import { compactJson } from '../../json/write.js'
import { jsonFromValue } from '../../json/from-value.js'
import { isDone, stateOf } from '../../state.js'
import { nearest, type SpanNode } from '../../tree.js'
import { usageBelow } from '../../usage.js'
import { decodeTrajectory } from './decode.js'
import { WORLD_MODEL } from './guardrails.js'
import { decodeTraj } from './traj-decode.js'
import type { Values } from './present.js'
import { stampOf } from './times.js'
import { storedValues, type SpanValues } from './values.js'

/** The trajectory of spans of any origin: what they say, and what SafePred would have noted beside it. */
export const convertToTrajectory = (node: SpanNode): JsonObject =>
  decodeTrajectory(node, 'nested', convertedValues, stepsOf)

/** The same as lines; an action that failed or was never run has none. */
export const convertToTraj = (node: SpanNode): JsonArray =>
  decodeTraj(node, convertedValues, ({ every, own }) => own['actionTimestamp'] !== undefined && !isFailed(every))

const isFailed = ({ errorType, errorMessage }: Values): boolean => errorType !== undefined || errorMessage !== undefined

/** A plan's cycles; an agent that shows none counts as one. */
function stepsOf(node: SpanNode): SpanNode[] {
  const agents = node.role === 'agent' ? [node] : nearest(node, 'agent', ['planning'])
  return agents.flatMap((agent) => {
    const cycles = nearest(agent, 'think_act')
    return cycles.length > 0 ? cycles : [agent]
  })
}

function convertedValues(node: SpanNode): SpanValues {
  const { every, own } = storedValues(node)
  const role = node.role ?? 'wait'
  return { every, own: { ...LACKING[role]?.(node, own), ...own, ...REPLACED[role]?.(node, own) } }
}

type Derived = Readonly<Record<string, FieldValue | undefined>>
type Derivations = Partial<Record<Role, (node: SpanNode, own: Values) => Derived>>

/** What a span's object has when its attributes don't tell. */
const LACKING: Derivations = {
  plan: (node, { title }) => ({ ...task(node, title), modelName: modelOf(node) }),
  agent: (node, { request, result }) => ({ ...task(node, request), ...cycle(node), planText: request, output: result }),
  think_act: cycle,
  llm: ({ parent }, { model }) => ({
    responseModel: model,
    usageSource: parent?.role === 'guardrail' ? WORLD_MODEL : undefined,
  }),
  guardrail: (node, { name, score }) => ({
    actionIndex: name === WORLD_MODEL || score === undefined ? undefined : placeOf(node),
  }),
  tool: toolOutcome,
}

/** What is told in SafePred's way in place of the attributes. */
const REPLACED: Derivations = {
  llm: (node, { usageSource }) => (usageSource === undefined ? summedUsage(node) : {}),
  tool: (_, own) => (isTrajectoryAction(own) ? {} : { arguments: actionText(own) }),
}

const secondsOf = ({ span }: SpanNode): number | undefined =>
  span.pending || span.attributes[ATTR.timeSynthetic] === 'true'
    ? undefined
    : Number(span.endTimeUnixNano - span.startTimeUnixNano) / 1e9

const siblings = (node: SpanNode): SpanNode[] => (node.parent && node.role ? nearest(node.parent, node.role) : [])

// Counting the siblings of each anew would take minutes for thousands.
const places = new WeakMap<SpanNode, number>()

/** The place of a span among its siblings, from 0. */
function placeOf(node: SpanNode): number {
  if (!places.has(node)) for (const [place, sibling] of siblings(node).entries()) places.set(sibling, place)
  return places.get(node) ?? 0
}

function task(node: SpanNode, request: FieldValue | undefined): Derived {
  const isOver = isDone(stateOf(node))
  const steps = stepsOf(node)
  const own = steps.flatMap((step) => nearest(step, 'llm')).map((call) => usageBelow(call)?.totalTokens ?? 0)
  const all = usageBelow(node)?.totalTokens ?? 0
  const agents = sum(own)
  return {
    taskId: storedValues(node).every['planId'],
    request,
    taskJailbreak: false,
    ...(isOver && {
      totalDurationSeconds: secondsOf(node),
      cumulativeTotalTokens: agents,
      cumulativeWorldModelTokens: all - agents,
      cumulativeHarmonyguardTokens: 0,
      cumulativeReactiveTokens: 0,
      cumulativeSteps: steps.length,
      cumulativeActions: steps.flatMap((step) => nearest(step, 'tool')).filter((tool) => stateOf(tool) !== 'failed')
        .length,
    }),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

function cycle(node: SpanNode): Derived {
  return {
    index: placeOf(node),
    timestamp: node.span.pending ? undefined : stampOf(node.span.endTimeUnixNano),
    durationSeconds: secondsOf(node),
  }
}

/** The model of the first call below a node. */
function modelOf(node: SpanNode): FieldValue | undefined {
  const agents = nearest(node, 'agent', ['planning'])
  if (agents.some((agent) => storedValues(agent).own['modelName'] !== undefined)) return undefined
  const calls = stepsOf(node).flatMap((step) => nearest(step, 'llm'))
  return calls.map((call) => convertedModel(storedValues(call).own)).find((model) => model !== undefined)
}

const convertedModel = ({ responseModel, model }: Values): FieldValue | undefined => responseModel ?? model

/** A step tells one usage; that of several calls is summed. */
function summedUsage(node: SpanNode): Derived {
  const calls = siblings(node).map((call) => storedValues(call).own)
  if (calls.length < 2) return {}
  const total = (field: string): number =>
    sum(calls.map(({ [field]: tokens }) => (typeof tokens === 'number' ? tokens : 0)))
  return { inputTokens: total('inputTokens'), outputTokens: total('outputTokens'), totalTokens: undefined }
}

/** Actions that SafePred wrote know their place in their step. */
const isTrajectoryAction = (own: Values): boolean => own['actionIndex'] !== undefined

function toolOutcome(node: SpanNode, own: Values): Derived {
  if (isTrajectoryAction(own) || node.span.pending) return {}
  const { result } = own
  const info = stateOf(node) === 'failed' ? { error: true } : typeof result === 'string' ? { result } : {}
  return {
    actionTimestamp: stampOf(node.span.startTimeUnixNano),
    reward: 0,
    done: false,
    info: compactJson(jsonFromValue(info)),
    actionDurationSeconds: secondsOf(node),
  }
}

/** A tool call as an action object: the tool is its type. */
function actionText({ name, arguments: text }: Values): string {
  const parameters = typeof text === 'string' ? (tryParseJson(text) ?? jsonString(text)) : undefined
  const members: [string, JsonNode][] = [['action_type', jsonString(typeof name === 'string' ? name : '')]]
  if (parameters) members.push(['parameters', parameters])
  return compactJson(jsonObject(members))
}
