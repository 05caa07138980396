import { PlanspanError } from '../../../error.js'
import { draft, draftState, type SpanDraft } from '../../draft.js'
import type { DialectRecord, EncodeContext } from '../../dialect.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject } from '../../json/node.js'
import { compactJson } from '../../json/write.js'
import { stateOfWord } from '../../state.js'
import { unixNanoOf } from '../../time.js'
import type { State } from '../../../semconv/index.js'
import { eraOf, isAgentDocument } from './detect.js'
import { ERAS, type Era } from './era.js'
import { readObject, type ObjectValues } from './read.js'

interface Context {
  readonly era: Era
  readonly timeZone: string
}

/** Reads a document of JManus or Lynxe: a plan, or an agent's execution alone. */
export function encodePlanExecution(document: JsonNode, { timeZone }: EncodeContext): DialectRecord {
  if (document.kind !== 'object') {
    throw new PlanspanError('invalid_record', `A plan-execution record is a JSON object, and this is ${document.kind}.`)
  }
  const eraName = eraOf(document)
  const context = { era: ERAS[eraName], timeZone }
  const text = (key: string): string | undefined => stringOf(member(document, key)) || undefined
  // Of two ids that differ the plan's span has the one that is read first.
  const read = textValue(readObject(document, 'plan', context.era).every['planId']) || undefined
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

function planDraft(plan: JsonObject, seq: number | undefined, context: Context, callAbove?: JsonObject): SpanDraft {
  const { every, self } = readObject(plan, 'plan', context.era)
  const agents = objects(member(plan, 'agentExecutionSequence'))
  const wait = member(plan, 'userInputWaitState')
  const waiting = wait?.kind === 'object' ? waitDraft(wait, context) : undefined
  const isWaiting = waiting?.values['waiting'] === true
  const call = member(plan, 'parentActToolCall')
  return draft(
    'plan',
    {
      ...self,
      ...(call?.kind === 'object' && !isSame(call, callAbove) ? { parentToolCall: compactJson(call) } : {}),
      ...(waiting ? { waiting: isWaiting } : {}),
    },
    {
      every: { ...every, ...draftState(planState(plan, isWaiting)) },
      ...times(every, context),
      seq,
      children: [...agents.map(([agent, index]) => agentDraft(agent, index, context)), ...(waiting ? [waiting] : [])],
    },
  )
}

function planState(plan: JsonObject, isWaiting: boolean): State {
  const agents = itemsOf(member(plan, 'agentExecutionSequence'))
  const completed = member(plan, 'completed')
  if (completed?.kind === 'literal' && completed.value === true) {
    if (stringOf(member(plan, 'summary'))?.includes('**Task Interrupted**')) return 'cancelled'
    const last = agents.at(-1)
    return last && agentState(last) === 'failed' ? 'failed' : 'completed'
  }
  if (isWaiting) return 'waiting'
  return agents.some((agent) => agentState(agent) !== undefined) ? 'running' : 'planning'
}

/** Lynxe calls a failed agent FINISHED, too: its error message tells. */
const agentState = (agent: JsonNode): State | undefined =>
  stringOf(member(agent, 'errorMessage')) ? 'failed' : stateOfWord(stringOf(member(agent, 'status')))

function agentDraft(agent: JsonObject, seq: number, context: Context): SpanDraft {
  const { every, self } = readObject(agent, 'agent', context.era)
  const cycles = objects(member(agent, 'thinkActSteps'))
  const subPlans = context.era.subPlans === 'agent' ? objects(member(agent, 'subPlanExecutionRecords')) : []
  const placed = placeSubPlans(cycles, subPlans)
  const bounds = times(every, context)
  return draft(
    'agent',
    { ...self, stepIndex: seq, detail: cycles.length > 0 ? 'full' : 'simplified' },
    {
      subject: textValue(self['name']),
      every: { ...every, ...draftState(agentState(agent)) },
      ...bounds,
      seq,
      children: [
        ...cycles.map(([cycle, index]) => thinkActDraft(cycle, index, context, bounds, placed)),
        ...subPlansBelow(undefined, placed, context),
      ],
    },
  )
}

/** The sub-plans of an agent by the tool call that they hang below; by undefined those that hang below the agent. */
type SubPlans = ReadonlyMap<JsonObject | undefined, Objects>

/** A sub-plan hangs below the tool call with its `toolCallId`; of several below the one that it repeats, else the first. */
function placeSubPlans(cycles: Objects, subPlans: Objects): SubPlans {
  const placed = new Map<JsonObject | undefined, Objects>()
  if (subPlans.length === 0) return placed
  const tools = cycles.flatMap(([cycle]) => objects(member(cycle, 'actToolInfoList')).map(([tool]) => tool))
  const byId = firstBy(tools, idOf)
  const byText = firstBy(tools, compactJson)
  for (const entry of subPlans) {
    const [plan] = entry
    const callId = stringOf(member(plan, 'toolCallId'))
    const call = member(plan, 'parentActToolCall')
    const repeated = call && byText.get(compactJson(call))
    const named = repeated && idOf(repeated) === callId ? repeated : byId.get(callId)
    const tool = callId ? named : undefined
    const beside = placed.get(tool)
    if (beside) beside.push(entry)
    else placed.set(tool, [entry])
  }
  return placed
}

const idOf = (tool: JsonObject): string | undefined => stringOf(member(tool, 'id'))

const firstBy = <Key>(tools: readonly JsonObject[], keyOf: (tool: JsonObject) => Key): ReadonlyMap<Key, JsonObject> =>
  new Map(tools.toReversed().map((tool) => [keyOf(tool), tool]))

const isSame = (a: JsonNode, b: JsonNode | undefined): boolean => b !== undefined && compactJson(a) === compactJson(b)

function thinkActDraft(
  cycle: JsonObject,
  seq: number,
  context: Context,
  agentBounds: Bounds,
  placed: SubPlans,
): SpanDraft {
  const { every, self, chat, tool } = readObject(cycle, 'thinkAct', context.era)
  const time = (field: string): bigint | undefined => timeOf(self[field], context)
  const listed = objects(member(cycle, 'actToolInfoList'))
  // A lone thinkStartTime is the moment at which Lynxe was asked, not a time of the run.
  const isReadTime = ['thinkEndTime', 'actStartTime', 'actEndTime'].every((field) => self[field] === undefined)
  const called = listed.map(([call]) => callTime(call, agentBounds)).find((start) => start !== undefined)
  const thinkStart = isReadTime ? called : time('thinkStartTime')
  const act: Bounds = {
    start: time('actStartTime') ?? called,
    end: time('actEndTime') ?? time('actStartTime') ?? called,
  }
  const state = stringOf(member(cycle, 'errorMessage')) ? 'failed' : stateOfWord(textValue(every['status']))
  const subPlans = cycleSubPlan(cycle, context)
  const tools = listed.map(([call, index]) => {
    const below = [...subPlansBelow(call, placed, context), ...(index === listed[0]?.[1] ? subPlans : [])]
    return toolOf(readObject(call, 'tool', context.era).self, index, act, below)
  })
  if (listed.length === 0 && Object.keys(tool).length > 0) tools.push(toolOf(tool, 0, act, subPlans))
  return draft(
    'think_act',
    { ...self, index: seq },
    {
      every: { ...every, ...draftState(state) },
      start: thinkStart ?? act.start,
      end: act.end ?? time('thinkEndTime'),
      seq,
      children: [
        ...(Object.keys(chat).length > 0
          ? [draft('llm', chat, { every: {}, start: thinkStart, end: time('thinkEndTime'), children: [] })]
          : []),
        ...tools,
        ...(tools.length === 0 ? subPlans : []),
      ],
    },
  )
}

interface Bounds {
  readonly start: bigint | undefined
  readonly end: bigint | undefined
}

/** Lynxe's own call ids begin with the epoch milliseconds just before the model was asked. */
function callTime(call: JsonObject, { start, end }: Bounds): bigint | undefined {
  const milliseconds = /^toolcall-(\d{13})_/.exec(stringOf(member(call, 'id')) ?? '')?.[1]
  if (milliseconds === undefined || start === undefined || end === undefined) return undefined
  const time = BigInt(milliseconds) * 1_000_000n
  return time >= start && time <= end ? time : undefined
}

const subPlansBelow = (call: JsonObject | undefined, placed: SubPlans, context: Context): SpanDraft[] =>
  (placed.get(call) ?? []).map(([plan, seq]) => planDraft(plan, seq, context, call))

/** The sub-plan of a cycle, in the eras that put it there. */
function cycleSubPlan(cycle: JsonObject, context: Context): SpanDraft[] {
  const subPlan = context.era.subPlans === 'cycle' ? member(cycle, 'subPlanExecutionRecord') : undefined
  return subPlan?.kind === 'object' ? [planDraft(subPlan, 0, context)] : []
}

const toolOf = (values: ObjectValues['self'], seq: number, bounds: Bounds, children: readonly SpanDraft[]): SpanDraft =>
  draft('tool', values, { subject: textValue(values['name']), every: {}, ...bounds, seq, children })

function waitDraft(wait: JsonObject, context: Context): SpanDraft {
  const { self } = readObject(wait, 'wait', context.era)
  return draft('wait', { ...self, reason: 'form_input' }, { every: {}, children: [] })
}

const textValue = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const timeOf = (value: unknown, { timeZone }: Context): bigint | undefined =>
  typeof value === 'string' ? unixNanoOf(value, timeZone) : undefined

const times = (every: ObjectValues['every'], context: Context): Bounds => ({
  start: timeOf(every['startTime'], context),
  end: timeOf(every['endTime'], context),
})
