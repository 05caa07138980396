import {
  agentFields,
  ATTR,
  decodeFields,
  eventFields,
  EVENTS,
  everySpanFields,
  ROLE_FIELDS,
} from '../../../semconv/index.js'
import {
  errorsWithin,
  errorTexts,
  isAwaited,
  isOpenWait,
  isUnfinished,
  stateOf,
  nearest,
  type SpanNode,
} from '../../tree/index.js'
import { latestSteps, type PlanStep } from '../../plan/index.js'
import { callValues } from './derive-call.js'
import { planMoment, planMoments } from './derive-plan.js'
import type { PlanActEvent } from './plan-act-event.js'
import { DerivedIds, descriptionOf, endStatus, stepIdOf, type Moment, type Step } from './moment.js'

/** Derives the events that ManusX would emit for a plan of another origin. Sub-plans and model calls have none. */
export function deriveEvents(plan: SpanNode): PlanActEvent[] {
  const { span } = plan
  const fields = decodeFields(ROLE_FIELDS.plan, span.attributes)
  const agents = plan.role === 'agent' ? [plan] : nearest(plan, 'agent', ['planning'])
  const known = latestSteps(plan)
  const steps = agents.map((agent, order): Step => {
    const { stepIndex = order } = decodeFields(ROLE_FIELDS.agent, agent.span.attributes)
    const isPlace = stepIndex >= 0 && stepIndex < known.length + agents.length
    return { agent, index: isPlace ? stepIndex : order, id: stepIdOf(known, stepIndex) }
  })
  const begun: Moment[] = []
  if (fields.request !== undefined) {
    const values = { role: 'user', content: fields.request }
    begun.push({ subject: 'request', type: 'message', time: span.startTimeUnixNano, values })
  }
  if (fields.title !== undefined) {
    const values = { sessionTitle: fields.title }
    begun.push({ subject: `title ${fields.title}`, type: 'title', time: span.startTimeUnixNano, values })
  }
  const going = [
    ...spokenMoments(plan),
    ...planMoments(plan, steps),
    ...nearest(plan, 'wait', ['planning']).flatMap(waitMoments),
    ...steps.flatMap((step) => stepMoments(step, { plan, known })),
  ]
  going.sort(byTime)
  const moments = [...begun, ...going, ...endMoments(plan, steps)]
  const isEnd = (seq: number): boolean => seq >= begun.length + going.length
  const ids = new DerivedIds()
  return moments.map((moment, seq) => {
    const { type, time, values, isProvisional = false } = moment
    return { seq, type, time, values: { ...values, streamId: ids.idOf(moment) }, isEnd: isEnd(seq), isProvisional }
  })
}

function byTime(a: Moment, b: Moment): number {
  const byPlace = placeOf(a) - placeOf(b)
  if (byPlace !== 0 || a.time === b.time) return byPlace
  return a.time < b.time ? -1 : 1
}

const placeOf = ({ place }: Moment): number => (place === undefined ? 0 : place === 'first' ? -1 : 1)

/** Returns messages of the live API or of a trajectory, without the request, which is already an event. */
function spokenMoments({ span }: SpanNode): Moment[] {
  return span.events
    .filter(({ name }) => name === EVENTS.message)
    .flatMap(({ timeUnixNano, attributes }) => {
      const { role, content } = decodeFields(eventFields, attributes)
      if (content === undefined) return []
      const subject = `message ${role ?? ''} ${content}`
      return [{ subject, type: 'message', time: timeUnixNano, values: { role, content } }]
    })
}

interface PlanSoFar {
  readonly plan: SpanNode
  readonly known: readonly PlanStep[]
}

function stepMoments(step: Step, { plan, known }: PlanSoFar): Moment[] {
  const { agent } = step
  const { span } = agent
  const { result, attachments, ...rest } = decodeFields(ROLE_FIELDS.agent, span.attributes)
  const { status: word } = decodeFields(everySpanFields, span.attributes)
  const same = { stepId: step.id, stepDescription: descriptionOf(step, known) }
  const running = (subject: string, time: bigint): Moment => ({
    subject,
    type: 'step',
    time,
    values: { ...same, status: 'running' },
  })
  // A step that an error interrupted stays running. The plan's own event reports the error.
  const status = word === 'running' ? word : endStatus(stateOf(agent))
  const errorMessage = status === 'failed' ? errorTexts(errorsWithin(agent, ['plan'])) : undefined
  const end = { ...same, status, result, errorMessage, attachments, success: rest.success ?? status === 'completed' }
  const id = runIdOf(agent)
  return [
    running(`step ${id}`, span.startTimeUnixNano),
    ...nearest(agent, 'tool', ['think_act']).flatMap((tool) => {
      const isProvisional = mayBeReplaced(tool, { agent, plan })
      return callMoments(tool).map((moment) => ({ ...moment, isProvisional }))
    }),
    ...nearest(agent, 'wait', ['think_act', 'tool']).flatMap((wait) => [
      ...waitMoments(wait),
      ...(isAwaited(wait) || isOpenWait(wait.span)
        ? []
        : [running(`answered ${waitIdOf(wait)}`, wait.span.endTimeUnixNano)]),
    ]),
    ...(span.pending || status === 'running'
      ? []
      : [
          { subject: `step over ${id} ${span.endTimeUnixNano}`, type: 'step', time: span.endTimeUnixNano, values: end },
        ]),
  ]
}

/**
 * Whether a call that was rebuilt from messages may still get a span, whose id is another one. Libraries send the spans
 * of calls before that of their agent, and a call that waits for a person gets its span when it is allowed.
 */
function mayBeReplaced(
  tool: SpanNode,
  { agent, plan }: { readonly agent: SpanNode; readonly plan: SpanNode },
): boolean {
  if (!isMadeUp(tool) || !isUnfinished(plan)) return false
  return isMadeUp(agent) || isUnfinished(agent) || isUnfinished(tool)
}

const isMadeUp = ({ span }: SpanNode): boolean => span.attributes[ATTR.adoptedMadeUp] === 'true'

function callMoments(tool: SpanNode): Moment[] {
  const { span } = tool
  const { calling, called } = callValues(tool)
  const begun = { subject: `call ${span.spanId}`, type: 'tool', time: span.startTimeUnixNano, values: calling }
  const over = { subject: `called ${span.spanId}`, type: 'tool', time: span.endTimeUnixNano, values: called }
  return span.pending ? [begun] : [begun, over]
}

// A step that resumes after a pause keeps its id, whatever the id of its span.
const runIdOf = ({ span }: SpanNode): string => decodeFields(agentFields, span.attributes).stepId ?? span.spanId

const waitIdOf = ({ span }: SpanNode): string => span.attributes[ATTR.waitId] ?? span.spanId

/** Returns the question to a person, and the wait for the answer. An open wait comes last, whenever it began. */
function waitMoments(wait: SpanNode): Moment[] {
  const { title, formDescription } = decodeFields(ROLE_FIELDS.wait, wait.span.attributes)
  const content = formDescription ?? title
  const time = wait.span.startTimeUnixNano
  const place = isAwaited(wait) ? { place: 'last' as const } : {}
  const id = waitIdOf(wait)
  const values = { role: 'assistant', content }
  const asked = content === undefined ? [] : [{ subject: `ask ${id}`, type: 'message', time, ...place, values }]
  return [...asked, { subject: `wait ${id}`, type: 'wait', time, ...place, values: {} }]
}

function endMoments(plan: SpanNode, steps: readonly Step[]): Moment[] {
  // While the plan is running, a failure may still be corrected.
  if (plan.span.pending) return []
  const state = stateOf(plan)
  const time = plan.span.endTimeUnixNano
  if (state === 'failed') {
    const error = errorTexts(errorsWithin(plan, ['agent', 'plan'])) ?? 'The plan failed.'
    return [{ subject: `error ${time}`, type: 'error', time, values: { error } }]
  }
  const done = { subject: `done ${time}`, type: 'done', time, values: {} }
  if (state === 'cancelled') return [done]
  if (state !== 'completed') return []
  const { summary, result } = decodeFields(ROLE_FIELDS.plan, plan.span.attributes)
  const content = summary ?? result
  return [
    ...(content === undefined
      ? []
      : [{ subject: `summary ${time}`, type: 'message', time, values: { role: 'assistant', content } }]),
    { subject: `plan over ${time}`, ...planMoment(plan, latestSteps(plan), steps, 'completed', time) },
    done,
  ]
}
