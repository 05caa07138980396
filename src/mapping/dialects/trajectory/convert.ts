import {
  agentFields,
  ATTR,
  decodeFields,
  guardrailFields,
  isDone,
  llmFields,
  thinkActFields,
  toolFields,
} from '../../../semconv/index.js'
import { isNotTaken } from '../../faults/index.js'
import { errorsOf, errorTexts, stateOf, nearest, type SpanNode, walk } from '../../tree/index.js'
import { type JsonArray, type JsonObject, compactJson, jsonFromValue } from '../../json/index.js'
import { withDerived, type HomeValues, type ValuesOf } from '../../record-object/index.js'
import { usageBelow } from '../../usage/index.js'
import { actionPlaces } from './action-places.js'
import { isOwnCall } from './usage-sources.js'
import { decodeTrajectory } from './decode.js'
import { actionText, errorsOfSteps } from './derived-errors.js'
import { WORLD_MODEL } from './guardrails.js'
import { decodeTraj } from './traj-decode.js'
import { stampOf } from './stamps.js'

/** Converts spans of any origin to a trajectory, with the values that SafePred would have added. */
export const convertToTrajectory = (node: SpanNode): JsonObject =>
  decodeTrajectory(node, 'nested', { valuesOf: convertedValues, stepsOf, eventsOf: errorsOfSteps(node, stepsOf(node)) })

/** Converts spans to the lines of a traj.jsonl. An action that failed or never ran has none. */
export const convertToTraj = (node: SpanNode): JsonArray =>
  decodeTraj(
    node,
    lineValues(node),
    ({ actionTimestamp, errorType, errorMessage }) =>
      actionTimestamp !== undefined && errorType === undefined && errorMessage === undefined,
  )

/** Returns the cycles of a plan. An agent without cycles counts as one. */
function stepsOf(node: SpanNode): SpanNode[] {
  const agents = node.role === 'agent' ? [node] : nearest(node, 'agent', ['planning'])
  return agents.flatMap((agent) => {
    const cycles = nearest(agent, 'think_act')
    return cycles.length > 0 ? cycles : [agent]
  })
}

/** Adds why the plan failed to the last agent, and the screenshot taken after each action. */
function lineValues(plan: SpanNode): ValuesOf {
  const shots = screenshotsAfter(plan)
  const errorMessage =
    stateOf(plan) === 'failed' ? errorTexts(errorsOf(plan).filter(({ message }) => message)) : undefined
  const last = nearest(plan, 'agent', ['planning']).at(-1)
  return (node) => ({
    ...(node === last && { errorMessage }),
    ...(node.role === 'tool' && { nextScreenshotUri: shots.get(node) }),
    ...convertedValues(node),
  })
}

/**
 * Returns the screenshot after each action: the one that the next step begins with, otherwise the name that SafePred's
 * writer derives from the step and the time.
 */
function screenshotsAfter(plan: SpanNode): ReadonlyMap<SpanNode, string> {
  const shots = new Map<SpanNode, string>()
  const steps = stepsOf(plan)
  for (const [place, step] of steps.entries()) {
    const { index = place, screenshotUri } = stepValues(step)
    const next = steps[place + 1]
    const after = next && stepValues(next).screenshotUri
    const tools = nearest(step, 'tool')
    for (const tool of tools) {
      const { actionTimestamp } = decodeFields(toolFields, tool.span.attributes)
      const isNamed = screenshotUri?.startsWith('step_') === true && actionTimestamp !== undefined
      const named = isNamed ? `step_${index + 1}_${actionTimestamp}.png` : undefined
      const shot = tool === tools.at(-1) ? (after ?? named) : named
      if (shot !== undefined) shots.set(tool, shot)
    }
  }
  return shots
}

const stepValues = ({ span }: SpanNode): HomeValues<'think_act'> => decodeFields(thinkActFields, span.attributes)

/** The response of a step without a model's answer. SafePred's judge reads a response in every step. */
const NO_ANSWER = ''

const convertedValues = withDerived({
  lacking: {
    plan: (node, { title }) => ({ ...task(node, title), modelName: modelOf(node) }),
    agent: (node, { request, result }) => ({
      ...task(node, request),
      ...cycle(node),
      planText: request,
      output: result ?? NO_ANSWER,
    }),
    think_act: (node) => ({ ...cycle(node), output: NO_ANSWER }),
    llm: (_, { model, outputItems }) => ({
      output: outputItems === undefined ? NO_ANSWER : undefined,
      responseModel: model,
    }),
    guardrail: (node) => ({ actionIndex: isJudgement(node) ? actionPlaceOf(node) : undefined }),
    tool: toolOutcome,
  },
  // Values that SafePred writes in its own way.
  replaced: {
    // Only SafePred's own steps have a timestamp, and with it an index that counts through the run.
    think_act: (node, { timestamp }) => (timestamp === undefined ? { index: stepPlaceOf(node) } : {}),
    llm: (node) => ({ ...summedUsage(node), usageSource: sourceOf(node) }),
    tool: (node, own) => ({
      ...(isTrajectoryAction(own) ? {} : { arguments: actionText(own) }),
      ...(isNotTaken(node) && { errorMessage: undefined }),
    }),
  },
})

const secondsOf = ({ span }: SpanNode): number | undefined =>
  span.pending || span.attributes[ATTR.timeSynthetic] === 'true'
    ? undefined
    : Number(span.endTimeUnixNano - span.startTimeUnixNano) / 1e9

const siblings = (node: SpanNode): SpanNode[] => (node.parent && node.role ? nearest(node.parent, node.role) : [])

// Counting the siblings of each node again would take minutes for thousands.
const places = new WeakMap<SpanNode, number>()

/** Returns the position of a span among its siblings, from 0. */
function placeOf(node: SpanNode): number {
  if (!places.has(node)) for (const [place, sibling] of siblings(node).entries()) places.set(sibling, place)
  return places.get(node) ?? 0
}

/** Whether a guardrail assessed an action, in contrast to the world model's prediction. */
function isJudgement({ span }: SpanNode): boolean {
  const { name, score } = decodeFields(guardrailFields, span.attributes)
  return name !== WORLD_MODEL && score !== undefined
}

const judgements = new WeakMap<SpanNode, ReadonlyMap<SpanNode, number>>()

/** Returns the index of the judged action in its step. */
function actionPlaceOf(guardrail: SpanNode): number {
  const step = guardrail.parent
  if (!step) return 0
  if (!judgements.has(step)) judgements.set(step, actionPlaces(step, siblings(guardrail).filter(isJudgement)))
  return judgements.get(step)?.get(guardrail) ?? 0
}

const stepPlaces = new WeakMap<SpanNode, number>()

/** Returns the position of a step among those of its plan, whichever agent took it, from 0. */
function stepPlaceOf(node: SpanNode): number {
  if (!stepPlaces.has(node)) {
    let plan = node
    while (plan.parent && plan.role !== 'plan') plan = plan.parent
    for (const [place, step] of stepsOf(plan).entries()) stepPlaces.set(step, place)
  }
  return stepPlaces.get(node) ?? placeOf(node)
}

/** Returns the source of a guardrail's model calls, which may be its name. Undefined for an agent's own calls. */
function sourceAt(above: SpanNode | undefined): string | undefined {
  if (above?.role !== 'guardrail') return undefined
  const { name = '' } = decodeFields(guardrailFields, above.span.attributes)
  return isOwnCall(name) ? WORLD_MODEL : name
}

/** Returns the tokens of all model calls below a node, by safety system. */
function tokensBySource(node: SpanNode): ReadonlyMap<string | undefined, number> {
  const tokens = new Map<string | undefined, number>()
  for (const call of walk(node)) {
    if (call.role !== 'llm') continue
    const source = sourceOf(call)
    tokens.set(source, (tokens.get(source) ?? 0) + (usageBelow(call)?.totalTokens ?? 0))
  }
  return tokens
}

function task(node: SpanNode, request: string | undefined): HomeValues<'plan'> {
  const isOver = isDone(stateOf(node))
  const steps = stepsOf(node)
  const tokens = tokensBySource(node)
  return {
    taskId: node.span.attributes[ATTR.planId],
    request: request ?? '',
    taskJailbreak: false,
    ...(isOver && {
      totalDurationSeconds: secondsOf(node),
      cumulativeTotalTokens: tokens.get(undefined) ?? 0,
      cumulativeWorldModelTokens: tokens.get(WORLD_MODEL) ?? 0,
      cumulativePolicyGuardrailTokens: tokens.get('policy_guardrail') ?? 0,
      cumulativeReactiveGuardrailTokens: tokens.get('reactive_guardrail') ?? 0,
      cumulativeSteps: steps.length,
      cumulativeActions: steps
        .flatMap((step) => nearest(step, 'tool'))
        .filter((tool) => stateOf(tool) !== 'failed' && !isNotTaken(tool)).length,
    }),
  }
}

function cycle(node: SpanNode): HomeValues<'think_act'> {
  return {
    index: stepPlaceOf(node),
    timestamp: node.span.pending ? undefined : stampOf(node.span.endTimeUnixNano),
    durationSeconds: secondsOf(node),
  }
}

/** Returns the model of the first call below a node. */
function modelOf(node: SpanNode): string | undefined {
  const agents = nearest(node, 'agent', ['planning'])
  if (agents.some(({ span }) => decodeFields(agentFields, span.attributes).modelName !== undefined)) return undefined
  return stepsOf(node)
    .flatMap((step) => callsBelow(step))
    .map(({ responseModel, model }) => responseModel ?? model)
    .find((model) => model !== undefined)
}

const callsBelow = (node: SpanNode): HomeValues<'llm'>[] =>
  nearest(node, 'llm').map(({ span }) => decodeFields(llmFields, span.attributes))

interface Usage {
  calls: number
  inputTokens: number
  outputTokens: number
}

const usages = new WeakMap<SpanNode, ReadonlyMap<string | undefined, Usage>>()

/** Returns the usage of a step's model calls by safety system. */
function usagesOf(step: SpanNode): ReadonlyMap<string | undefined, Usage> {
  const known = usages.get(step)
  if (known) return known
  const found = new Map<string | undefined, Usage>()
  for (const call of nearest(step, 'llm', ['guardrail'])) {
    const { inputTokens = 0, outputTokens = 0 } = decodeFields(llmFields, call.span.attributes)
    const usage = found.get(sourceOf(call)) ?? { calls: 0, inputTokens: 0, outputTokens: 0 }
    usage.calls++
    usage.inputTokens += inputTokens
    usage.outputTokens += outputTokens
    found.set(sourceOf(call), usage)
  }
  usages.set(step, found)
  return found
}

/** A step has one usage for each source, so the usage of several calls is summed. */
function summedUsage(node: SpanNode): HomeValues<'llm'> {
  const step = node.parent?.role === 'guardrail' ? node.parent.parent : node.parent
  const { calls = 0, ...sums } = (step && usagesOf(step).get(sourceOf(node))) ?? {}
  return calls < 2 ? {} : { ...sums, totalTokens: undefined }
}

/** Returns the safety system that made a model call. Undefined for the agent's own calls. */
function sourceOf({ span, parent }: SpanNode): string | undefined {
  const { usageSource } = decodeFields(llmFields, span.attributes)
  return isOwnCall(usageSource) ? sourceAt(parent) : usageSource
}

/** Actions that SafePred wrote record their position in the step. */
const isTrajectoryAction = ({ actionIndex }: HomeValues<'tool'>): boolean => actionIndex !== undefined

function toolOutcome(node: SpanNode, own: HomeValues<'tool'>): HomeValues<'tool'> {
  if (isTrajectoryAction(own) || node.span.pending || isNotTaken(node)) return {}
  const errors = errorsOf(node)
  const { result } = own
  const info = stateOf(node) === 'failed' ? { error: true } : result === undefined ? {} : { result }
  return {
    actionTimestamp: stampOf(node.span.startTimeUnixNano),
    reward: 0,
    done: false,
    info: compactJson(jsonFromValue(info)),
    actionDurationSeconds: secondsOf(node),
    errorType: errors[0]?.type,
    errorMessage: errorTexts(errors.filter(({ message }) => message)),
  }
}
