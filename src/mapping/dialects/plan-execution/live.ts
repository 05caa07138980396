import { agentFields, ATTR, decodeFields, isDone, planFields, type State, toolFields } from '../../../semconv/index.js'
import { isNotTaken } from '../../faults/index.js'
import {
  errorsWithin,
  errorTexts,
  isAwaited,
  isForeignRecord,
  isUnfinished,
  stateOf,
  nearest,
  type SpanNode,
} from '../../tree/index.js'
import { tryParseJson, bare, compactJson } from '../../json/index.js'
import { latestSteps } from '../../plan/index.js'
import { withDerived, type HomeValues, type ValuesOf, isoOf } from '../../record-object/index.js'
import { cyclesOf, toolsOf } from './decode.js'
import { liveAgentsOf, OWN } from './live-parts.js'

/**
 * Returns the values of a live span's object: those of its attributes, and those that Lynxe's recorder would have
 * added. Numeric ids are the low 53 bits of the span id, times ISO 8601 in UTC.
 */
export const liveValues: ValuesOf = (node) => ({
  recordId: idOf(node),
  startTime: isoOf(node.span.startTimeUnixNano),
  endTime: isUnfinished(node) ? undefined : isoOf(node.span.endTimeUnixNano),
  ...derivedValues(node),
})

const derivedValues = withDerived({
  lacking: {
    plan: (node) => ({
      ...ofOtherDialects(node),
      currentStepIndex: currentStepIndex(node),
      completed: isDone(stateOf(node)),
      summary: failureOf(node),
      result: structureResult(node),
    }),
    agent: (node) => ({ maxSteps: 0, currentStep: cyclesOf(node).length, request: stepDescription(node) }),
    think_act: cycle,
    tool: (node) => ({ ...cycle(node), result: errorResult(node) }),
    wait: (node) => ({ title: WAIT_TITLE, waiting: isAwaited(node) }),
    llm: (_, { input, output }) => ({ inputCharCount: input?.length, outputCharCount: output?.length }),
  },
  replaced: {
    // A plan may have resumed after an earlier segment completed.
    plan: (node) => (isDone(stateOf(node)) ? {} : { completed: false }),
    agent: (node) => ({
      status: lynxeStatus(stateOf(node)),
      errorMessage: errorTexts(errorsWithin(node, OWN.agent)),
    }),
    think_act: (node) => ({ status: actStatus(node), errorMessage: errorTexts(errorsWithin(node, OWN.think_act)) }),
    tool: (node) => ({ status: actStatus(node) }),
  },
})

/** Returns why a plan failed, for Lynxe's only place for it: the summary. */
function failureOf(plan: SpanNode): string | undefined {
  const said = stateOf(plan) === 'failed' ? errorTexts(errorsWithin(plan, OWN.plan)) : undefined
  return said === undefined ? undefined : `Error: ${said}`
}

/** Returns the result that Lynxe writes for a failed call, or the reason why a call was not made. */
function errorResult(tool: SpanNode): string | undefined {
  const said = errorTexts(errorsWithin(tool, OWN.tool))
  return said === undefined || isNotTaken(tool) ? said : `Error: ${said}`
}

/** Returns the title and steps of a plan whose dialect has other names for them. */
function ofOtherDialects(node: SpanNode): HomeValues<'plan'> {
  const plan = decodeFields(planFields, node.span.attributes)
  const steps = latestSteps(node).map(({ title }) => title)
  return { title: plan.topic, steps: steps.length > 0 ? steps : undefined }
}

/**
 * Returns the result as Lynxe computes it for a live root plan that is over: that of the last tool call of its last
 * step, with JSON rewritten compactly.
 */
function structureResult(plan: SpanNode): string | undefined {
  const { attributes } = plan.span
  const isLiveRoot = !isForeignRecord(plan.span) && attributes[ATTR.planRootId] === attributes[ATTR.planId]
  const agent = isLiveRoot && isDone(stateOf(plan)) ? lastOf(liveAgentsOf(plan)) : undefined
  const cycle = agent && cyclesOf(agent).at(-1)
  const tool = cycle && toolsOf(cycle).at(-1)
  const result = tool && (decodeFields(toolFields, tool.span.attributes).result ?? errorResult(tool))
  const document = result === undefined ? undefined : tryParseJson(result)
  return document ? compactJson(bare(document)) : result
}

/** Returns the agent of the last step. Among several, or without recorded steps, the last agent. */
function lastOf(agents: readonly SpanNode[]): SpanNode | undefined {
  const steps = agents.map(({ span }) => decodeFields(agentFields, span.attributes).stepIndex ?? 0)
  const last = steps.reduce((a, b) => Math.max(a, b), 0)
  return agents.findLast((_, place) => steps[place] === last)
}

const stepDescription = ({ span }: SpanNode): string | undefined =>
  decodeFields(agentFields, span.attributes).stepDescription

const idOf = ({ span: { spanId } }: SpanNode): string | undefined =>
  /^[\da-f]{1,16}$/i.test(spanId) ? BigInt.asUintN(53, BigInt(`0x${spanId}`)).toString() : undefined

/** Lynxe has three words. A failed agent is FINISHED and has an error message. */
function lynxeStatus(state: State): string {
  if (state === 'planning') return 'IDLE'
  return isDone(state) ? 'FINISHED' : 'RUNNING'
}

/** Lynxe's title of a form without one. */
const WAIT_TITLE = 'Awaiting user input.'

/** Computed as in Lynxe: the last step of a completed plan, otherwise the first running or unfinished step. */
function currentStepIndex(plan: SpanNode): number | undefined {
  const agents = liveAgentsOf(plan)
  if (agents.length === 0) return undefined
  const statuses = agents.map((agent) => lynxeStatus(stateOf(agent)))
  const last = agents.length - 1
  if (isDone(stateOf(plan))) return last
  const running = statuses.indexOf('RUNNING')
  const unfinished = running >= 0 ? running : statuses.findIndex((status) => status !== 'FINISHED')
  return unfinished >= 0 ? unfinished : last
}

function actStatus(cycle: SpanNode): string | undefined {
  const state = stateOf(cycle)
  if (state === 'failed' || toolsOf(cycle).some((tool) => stateOf(tool) === 'failed')) return 'FAILED'
  return isDone(state) ? 'SUCCESS' : undefined
}

function cycle(node: SpanNode): HomeValues<'think_act'> {
  const calls = nearest(node, 'llm')
  const tools = toolsOf(node)
  const agent = node.parent
  return {
    parentRecordId: agent?.role === 'agent' ? idOf(agent) : undefined,
    thinkStartTime: startOf(calls),
    thinkEndTime: endOf(calls),
    actStartTime: startOf(tools),
    actEndTime: endOf(tools),
    actionNeeded: tools.length > 0,
  }
}

function startOf(nodes: readonly SpanNode[]): string | undefined {
  const starts = nodes.map(({ span }) => span.startTimeUnixNano)
  return starts.length > 0 ? isoOf(starts.reduce((a, b) => (a < b ? a : b))) : undefined
}

function endOf(nodes: readonly SpanNode[]): string | undefined {
  const ends = nodes.map(({ span }) => span.endTimeUnixNano)
  if (ends.length === 0 || nodes.some(({ span }) => span.pending)) return undefined
  return isoOf(ends.reduce((a, b) => (a > b ? a : b)))
}
