import { PlanspanError } from '../../../error.js'
import { encodeFields, EVENTS, eventFields, type State } from '../../../semconv/index.js'
import { hashId } from '../../tree/index.js'
import type { DialectRecord, EncodeContext } from '../dialect.js'
import { draft, draftState, type Bounds, type EventDraft, type SpanDraft } from '../span-draft.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject, compactJson } from '../../json/index.js'
import { type HomeValues, type Parts, timeTextOf, unixNanoOf } from '../../record-object/index.js'
import { readContent, readResults } from './results.js'
import { eraOf, ERAS, type AtifEra } from './era.js'
import type { STEP } from './properties.js'
import { idOf, isTurn, objectsOf, placeSubPlans } from './sub-plans.js'

interface Context {
  readonly era: AtifEra
  readonly timeZone: string
  /** The plan ids in use. */
  readonly taken: Set<string>
}

/** Reads a trajectory. Its key is its own id, otherwise its session and its first step. */
export function encodeAtif(document: JsonNode, { timeZone, digest }: EncodeContext): DialectRecord {
  if (document.kind !== 'object') {
    throw new PlanspanError('invalid_record', `Expected a trajectory as a JSON object, got: ${document.kind}.`)
  }
  const era = eraOf(document)
  const [first] = itemsOf(member(document, 'steps'))
  const text = (key: string): string | undefined => stringOf(member(document, key)) || undefined
  const hash = first && hashId(compactJson(first), 16)
  const key = text('trajectory_id') ?? ([text('session_id'), hash].filter(Boolean).join('-') || digest)
  const context = { era: ERAS[era], timeZone, taken: new Set([key]) }
  return {
    era,
    key,
    planId: key,
    rootPlanId: undefined,
    draft: trajectoryDraft(document, key, context),
  }
}

function trajectoryDraft(node: JsonObject, planId: string, context: Context, seq?: number): SpanDraft {
  const { objects } = context.era
  const { plan: values, parts } = objects.trajectory.read(node)
  const steps = objectsOf(parts.steps)
  const asked = steps.find(([step]) => isRequest(step))?.[0]
  const state = stateOf(steps.map(([step]) => step))
  const { agent } = objects.agent.read(parts.agent)
  const placed = placeSubPlans(node)
  const below = (from: JsonObject | undefined): SpanDraft[] =>
    (placed.get(from) ?? []).map(([embedded, index]) =>
      trajectoryDraft(embedded, idOf(embedded, `${planId}/${index + 1}`, context.taken), context, index),
    )
  const around = { ...context, below, model: agent.modelName }
  return draft(
    'plan',
    { ...values, request: stringOf(member(asked, 'message')) },
    {
      every: { planId, ...draftState(state) },
      seq,
      from: node,
      events: steps
        .filter(([step]) => !isTurn(step))
        .map(([step, index]) => messageEvent(step, index, { ...context, isRequest: step === asked })),
      children: [
        draft('agent', agent, {
          subject: agent.name,
          every: draftState(state),
          children: steps.flatMap(([step, index], at) =>
            isTurn(step) ? [stepDraft(step, index, { ...around, next: steps[at + 1]?.[0] })] : [],
          ),
        }),
        ...below(undefined),
      ],
    },
  )
}

/** Whether a step is a user's text. The first of them is the plan's request. */
const isRequest = (step: JsonNode): boolean =>
  stringOf(member(step, 'source')) === 'user' && stringOf(member(step, 'message')) !== undefined

/**
 * Returns the state of a trajectory. It is running if the user's last message has no answer, or the agent's last calls
 * have no result.
 */
function stateOf(steps: readonly JsonNode[]): State {
  const last = steps.findLast((step) => stringOf(member(step, 'source')) !== 'system')
  if (!last) return steps.length === 0 ? 'planning' : 'running'
  return !isTurn(last) || isCalling(last) ? 'running' : 'completed'
}

/** Whether a step has called tools that have no results yet. */
const isCalling = (step: JsonNode): boolean =>
  itemsOf(member(step, 'tool_calls')).length > 0 && member(step, 'observation') === undefined

function messageEvent(
  step: JsonObject,
  seq: number,
  { era, timeZone, isRequest }: Context & { readonly isRequest: boolean },
): EventDraft {
  const { event: values, parts } = era.objects.message.read(step)
  const { text, parts: contentParts } = readContent(parts.message)
  const said: HomeValues<'event'> = isRequest ? { contentIn: 'request' } : { content: text, contentParts }
  return {
    name: EVENTS.message,
    time: timeOf(values.timestamp, timeZone),
    attributes: encodeFields(eventFields, { ...values, ...said, seq }),
  }
}

interface StepContext extends Context {
  /** Returns the drafts below a tool call, or below a step beside its calls. */
  readonly below: (from: JsonObject) => SpanDraft[]
  /** The default model of steps. */
  readonly model: string | undefined
  readonly next: JsonObject | undefined
}

function stepDraft(step: JsonObject, seq: number, { era, timeZone, below, model, next }: StepContext): SpanDraft {
  const { think_act: values, llm, parts } = era.objects.step.read(step)
  const calls = objectsOf(parts.tool_calls)
  const results = readResults(
    member(step, 'observation'),
    calls.map(([call]) => call),
    era,
  )
  const bounds = boundsOf(step, next, timeZone)
  const isModels = values.modelCalls !== 0
  const said = saidBy(parts, isModels)
  const isRunning = next === undefined && isCalling(step)
  return draft(
    'think_act',
    { ...values, ...results.others, ...said.think_act },
    {
      every: draftState(isRunning ? 'running' : 'completed'),
      ...bounds,
      seq,
      from: step,
      children: [
        ...(isModels || Object.keys(llm).length > 0 ? [modelCall({ ...llm, ...said.llm }, model, values)] : []),
        ...calls.map(([call, index], at) => {
          const values = { ...era.objects.toolCall.read(call).tool, ...results.ofCalls.get(at) }
          const every = draftState(isRunning ? 'running' : undefined)
          return draft('tool', values, { subject: values.name, every, seq: index, from: call, children: below(call) })
        }),
        ...below(step),
      ],
    },
  )
}

/** Returns where a step's message is stored: on the model call or, without one, on the step. */
function saidBy(
  { message }: Parts<typeof STEP>,
  isModels: boolean,
): { llm?: HomeValues<'llm'>; think_act?: HomeValues<'think_act'> } {
  const { text, parts } = readContent(message)
  return isModels
    ? { llm: { output: text, outputItems: parts } }
    : { think_act: { actionDescription: text, messageParts: parts } }
}

/** Creates a model call. The trajectory's model is the default. */
const modelCall = (
  values: HomeValues<'llm'>,
  model: string | undefined,
  { modelCalls = 1 }: HomeValues<'think_act'>,
): SpanDraft =>
  draft(
    'llm',
    {
      ...values,
      responseModel: values.model === undefined ? model : undefined,
      usageAggregated: modelCalls > 1 || undefined,
    },
    { subject: values.model ?? model, every: {}, children: [] },
  )

/** A step records one time. It lasts until the agent's next step. */
function boundsOf(step: JsonNode, next: JsonNode | undefined, timeZone: string): Bounds {
  const timeAt = (one: JsonNode) => timeOf(textAt(one), timeZone)
  const start = timeAt(step)
  const end = next && isTurn(next) ? timeAt(next) : undefined
  return { start, end: start !== undefined && end !== undefined && end >= start ? end : undefined }
}

const textAt = (step: JsonNode): string | undefined => {
  const time = member(step, 'timestamp')
  return time && timeTextOf(time)
}

const timeOf = (text: string | undefined, timeZone: string): bigint | undefined =>
  text === undefined ? undefined : unixNanoOf(text, timeZone)
