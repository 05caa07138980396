import { appendTo } from '../../../base/append.js'
import { PlanspanError } from '../../../error.js'
import { draft, draftState, type Bounds, type SpanDraft } from '../span-draft.js'
import type { DialectRecord, EncodeContext } from '../dialect.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject, compactJson } from '../../json/index.js'
import { type HomeValues, unixNanoOf } from '../../record-object/index.js'
import { stateOfWord } from '../../tree/index.js'
import type { State } from '../../../semconv/index.js'
import { eraOf, isAgentDocument } from './detect.js'
import { ERAS, type PlanExecutionEra } from './era.js'

interface Context {
  readonly era: PlanExecutionEra
  readonly timeZone: string
}

/** Reads a document of JManus or Lynxe: a plan, or an agent's execution alone. */
export function encodePlanExecution(document: JsonNode, { timeZone }: EncodeContext): DialectRecord {
  if (document.kind !== 'object') {
    throw new PlanspanError(
      'invalid_record',
      `Expected a plan-execution record as a JSON object, got: ${document.kind}.`,
    )
  }
  const eraName = eraOf(document)
  const context = { era: ERAS[eraName], timeZone }
  const text = (key: string): string | undefined => stringOf(member(document, key)) || undefined
  // If two ids differ, the plan's span has the one that is read first.
  const read = context.era.objects.plan.read(document).plan.planId || undefined
  const planId = read ?? text('currentPlanId') ?? text('planId')
  const isAgent = planId === undefined && isAgentDocument(document)
  return {
    era: eraName,
    key: text('rootPlanId') ?? planId ?? text('stepId'),
    planId,
    rootPlanId: text('rootPlanId'),
    draft: isAgent ? agentDraft(document, 0, context) : planDraft(document, undefined, context),
  }
}

type Objects = [JsonObject, number][]

const objects = (node: JsonNode | undefined): Objects =>
  itemsOf(node).flatMap((item, index): Objects => (item.kind === 'object' ? [[item, index]] : []))

function planDraft(node: JsonObject, seq: number | undefined, context: Context, callAbove?: JsonObject): SpanDraft {
  const { plan: values, parts } = context.era.objects.plan.read(node)
  const agents = objects(parts.agentExecutionSequence)
  const wait = parts.userInputWaitState
  const waiting = wait?.kind === 'object' ? context.era.objects.wait.read(wait).wait : undefined
  const isWaiting = waiting?.waiting === true
  const call = parts.parentActToolCall
  return draft(
    'plan',
    {
      ...values,
      ...(call?.kind === 'object' && !isSame(call, callAbove) ? { parentToolCall: compactJson(call) } : {}),
      ...(waiting ? { waiting: isWaiting } : {}),
    },
    {
      every: draftState(planState(values, itemsOf(parts.agentExecutionSequence), isWaiting)),
      ...times(values, context),
      seq,
      from: node,
      children: [
        ...agents.map(([agent, index]) => agentDraft(agent, index, context)),
        ...(waiting ? [draft('wait', { ...waiting, reason: 'form_input' }, { every: {}, children: [] })] : []),
      ],
    },
  )
}

function planState({ completed, summary }: HomeValues<'plan'>, agents: readonly JsonNode[], isWaiting: boolean): State {
  if (completed) {
    if (summary?.includes('**Task Interrupted**')) return 'cancelled'
    // Agents of steps that the plan did not reach are idle, and say nothing about its end.
    const last = agents.map(agentState).findLast((state) => state !== undefined && state !== 'planning')
    return last === 'failed' ? 'failed' : 'completed'
  }
  if (isWaiting) return 'waiting'
  return agents.some((agent) => agentState(agent) !== undefined) ? 'running' : 'planning'
}

/** Lynxe marks a failed agent FINISHED, too, but with an error message. */
const agentState = (agent: JsonNode): State | undefined =>
  stringOf(member(agent, 'errorMessage')) ? 'failed' : stateOfWord(stringOf(member(agent, 'status')))

function agentDraft(node: JsonObject, seq: number, context: Context): SpanDraft {
  const { agent: values, parts } = context.era.objects.agent.read(node)
  const cycles = objects(parts.thinkActSteps)
  const subPlans = hasSubPlanPerCycle(context) ? [] : objects(parts.subPlanExecutionRecords)
  const placed = placeSubPlans(cycles, subPlans)
  const bounds = times(values, context)
  return draft(
    'agent',
    { ...values, stepIndex: seq, detail: cycles.length > 0 ? 'full' : 'simplified' },
    {
      subject: values.name,
      every: draftState(agentState(node)),
      ...bounds,
      seq,
      from: node,
      children: [
        ...cycles.map(([cycle, index]) => thinkActDraft(cycle, index, context, { bounds, placed })),
        ...subPlansBelow(undefined, placed, context),
      ],
    },
  )
}

/** Early eras wrote sub-plans with the cycle that started them, later ones with its agent. */
const hasSubPlanPerCycle = ({ era }: Context): boolean => era.objects.thinkAct.keys.includes('subPlanExecutionRecord')

/** The sub-plans of an agent by their tool call. Those directly below the agent have the key undefined. */
type SubPlans = ReadonlyMap<JsonObject | undefined, Objects>

/**
 * A sub-plan belongs to the tool call with its `toolCallId`: among several, the call whose arguments it repeats,
 * otherwise the first.
 */
function placeSubPlans(cycles: Objects, subPlans: Objects): SubPlans {
  const placed = new Map<JsonObject | undefined, Objects>()
  if (subPlans.length === 0) return placed
  const tools = cycles.flatMap(([cycle]) => objects(member(cycle, 'actToolInfoList')).map(([tool]) => tool))
  const byId = firstBy(tools, callIdOf)
  const byText = firstBy(tools, compactJson)
  for (const entry of subPlans) {
    const [plan] = entry
    const callId = stringOf(member(plan, 'toolCallId'))
    const call = member(plan, 'parentActToolCall')
    const repeated = call && byText.get(compactJson(call))
    const named = repeated && callIdOf(repeated) === callId ? repeated : byId.get(callId)
    appendTo(placed, callId ? named : undefined, entry)
  }
  return placed
}

const callIdOf = (tool: JsonObject): string | undefined => stringOf(member(tool, 'id'))

const firstBy = <Key>(tools: readonly JsonObject[], keyOf: (tool: JsonObject) => Key): ReadonlyMap<Key, JsonObject> =>
  new Map(tools.toReversed().map((tool) => [keyOf(tool), tool]))

const isSame = (a: JsonNode, b: JsonNode | undefined): boolean => b !== undefined && compactJson(a) === compactJson(b)

/** What an agent knows about its cycles. */
interface AroundCycle {
  readonly bounds: Bounds
  readonly placed: SubPlans
}

function thinkActDraft(
  node: JsonObject,
  seq: number,
  context: Context,
  { bounds: agentBounds, placed }: AroundCycle,
): SpanDraft {
  const { think_act: values, llm: answer, tool: firstTool, parts } = context.era.objects.thinkAct.read(node)
  const { thinkStartTime, thinkEndTime, actStartTime, actEndTime } = values
  const listed = objects(parts.actToolInfoList)
  // A lone thinkStartTime is the time at which Lynxe was queried, not a time of the run.
  const isReadTime = (thinkEndTime ?? actStartTime ?? actEndTime) === undefined
  const called = listed.map(([call]) => callTime(call, agentBounds)).find((start) => start !== undefined)
  const thinkStart = isReadTime ? called : timeOf(thinkStartTime, context)
  const thinkEnd = timeOf(thinkEndTime, context)
  const actStart = timeOf(actStartTime, context) ?? called
  const act = { start: actStart, end: timeOf(actEndTime, context) ?? actStart }
  const state = cycleState(node)
  const subPlans = cycleSubPlan(parts.subPlanExecutionRecord, context)
  const tools = listed.map(([call, index]) => {
    const values = context.era.objects.tool.read(call).tool
    const below = [...subPlansBelow(call, placed, context), ...(index === listed[0]?.[1] ? subPlans : [])]
    return toolDraft(values, index, { ...act, state: unanswered(values, state), from: call }, below)
  })
  if (listed.length === 0 && Object.keys(firstTool).length > 0) tools.push(toolDraft(firstTool, 0, act, subPlans))
  return draft(
    'think_act',
    { ...values, index: seq },
    {
      every: draftState(state),
      start: thinkStart ?? act.start,
      end: act.end ?? thinkEnd,
      seq,
      from: node,
      children: [
        ...(Object.keys(answer).length === 0
          ? []
          : [draft('llm', answer, { every: {}, start: thinkStart, end: thinkEnd, children: [] })]),
        ...tools,
        ...(tools.length === 0 ? subPlans : []),
      ],
    },
  )
}

/** A call without a result has the state of its cycle, unless the cycle completed. */
const unanswered = ({ result }: HomeValues<'tool'>, state: State | undefined): State | undefined =>
  result === undefined && (state === 'running' || state === 'interrupted') ? state : undefined

const cycleState = (cycle: JsonNode): State | undefined =>
  stringOf(member(cycle, 'errorMessage')) ? 'failed' : stateOfWord(stringOf(member(cycle, 'status')))

/** Lynxe's own call ids begin with the epoch milliseconds just before the model call. */
function callTime(call: JsonObject, { start, end }: Bounds): bigint | undefined {
  const milliseconds = /^toolcall-(\d{13})_/.exec(stringOf(member(call, 'id')) ?? '')?.[1]
  if (milliseconds === undefined || start === undefined || end === undefined) return undefined
  const time = BigInt(milliseconds) * 1_000_000n
  return time >= start && time <= end ? time : undefined
}

const subPlansBelow = (call: JsonObject | undefined, placed: SubPlans, context: Context): SpanDraft[] =>
  (placed.get(call) ?? []).map(([plan, seq]) => planDraft(plan, seq, context, call))

/** Returns the sub-plan of a cycle, in the eras that wrote it there. */
const cycleSubPlan = (subPlan: JsonNode | undefined, context: Context): SpanDraft[] =>
  subPlan?.kind === 'object' && hasSubPlanPerCycle(context) ? [planDraft(subPlan, 0, context)] : []

const toolDraft = (
  values: HomeValues<'tool'>,
  seq: number,
  { state, ...rest }: Bounds & { readonly state?: State | undefined; readonly from?: JsonObject },
  children: readonly SpanDraft[],
): SpanDraft => draft('tool', values, { subject: values.name, every: draftState(state), ...rest, seq, children })

const timeOf = (text: string | undefined, { timeZone }: Context): bigint | undefined =>
  text === undefined ? undefined : unixNanoOf(text, timeZone)

const times = ({ startTime, endTime }: HomeValues<'plan' | 'agent'>, context: Context): Bounds => ({
  start: timeOf(startTime, context),
  end: timeOf(endTime, context),
})
