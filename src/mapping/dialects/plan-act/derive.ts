import { EVENTS } from '../../../semconv/index.js'
import { decodeFields } from '../../field.js'
import { eventFields, everySpanFields, ROLE_FIELDS } from '../../fields/index.js'
import { latestSteps, type PlanStep } from '../../plan-steps.js'
import { stateOf } from '../../state.js'
import { nearest, type SpanNode } from '../../tree.js'
import { callValues } from './derive-call.js'
import { planMoment, planMoments } from './derive-plan.js'
import type { PlanActEvent } from './event.js'
import { descriptionOf, endStatus, stepIdOf, type Moment, type Step } from './moment.js'

/** The events that ManusX would have told of a plan that is not its own. Sub-plans and model calls have none. */
export function deriveEvents(plan: SpanNode): PlanActEvent[] {
  const { span } = plan
  const fields = decodeFields(ROLE_FIELDS.plan, span.attributes)
  const agents = plan.role === 'agent' ? [plan] : nearest(plan, 'agent', ['planning'])
  const known = latestSteps(plan)
  const steps = agents.map((agent, order): Step => {
    const { stepIndex = order } = decodeFields(ROLE_FIELDS.agent, agent.span.attributes)
    const isPlace = stepIndex >= 0 && stepIndex < known.length + agents.length
    return { agent, index: isPlace ? stepIndex : order }
  })
  const begun: Moment[] = []
  if (fields.request !== undefined) {
    begun.push({ type: 'message', time: span.startTimeUnixNano, values: { role: 'user', content: fields.request } })
  }
  if (fields.title !== undefined) {
    begun.push({ type: 'title', time: span.startTimeUnixNano, values: { sessionTitle: fields.title } })
  }
  const going = [
    ...spokenMoments(plan),
    ...planMoments(plan, steps),
    ...nearest(plan, 'wait', ['planning']).flatMap(waitMoments),
    ...steps.flatMap((step) => stepMoments(step, known)),
  ]
  going.sort(byTime)
  return [...begun, ...going, ...endMoments(plan, steps)].map(({ type, time, values }, seq) => ({
    seq,
    type,
    time,
    values,
  }))
}

function byTime(a: Moment, b: Moment): number {
  const byRank = Number(a.isLast ?? false) - Number(b.isLast ?? false)
  if (byRank !== 0 || a.time === b.time) return byRank
  return a.time < b.time ? -1 : 1
}

/** Messages of the live API. */
function spokenMoments({ span }: SpanNode): Moment[] {
  return span.events
    .filter(({ name }) => name === EVENTS.message)
    .map(({ timeUnixNano, attributes }) => {
      const { role, content } = decodeFields(eventFields, attributes)
      return { type: 'message', time: timeUnixNano, values: { role, content } }
    })
}

function stepMoments(step: Step, known: readonly PlanStep[]): Moment[] {
  const { agent } = step
  const { span } = agent
  const { result } = decodeFields(ROLE_FIELDS.agent, span.attributes)
  const { errorMessage } = decodeFields(everySpanFields, span.attributes)
  const same = { stepId: stepIdOf(known, step.index), stepDescription: descriptionOf(step, known) }
  const running = (time: bigint): Moment => ({ type: 'step', time, values: { ...same, status: 'running' } })
  const status = endStatus(stateOf(agent))
  const end = { ...same, status, result, errorMessage, success: status === 'completed' }
  return [
    running(span.startTimeUnixNano),
    ...nearest(agent, 'tool', ['think_act']).flatMap(callMoments),
    ...nearest(agent, 'wait', ['think_act', 'tool']).flatMap((wait) => [
      ...waitMoments(wait),
      ...(isOpen(wait) ? [] : [running(wait.span.endTimeUnixNano)]),
    ]),
    ...(span.pending || status === 'running' ? [] : [{ type: 'step', time: span.endTimeUnixNano, values: end }]),
  ]
}

function callMoments(tool: SpanNode): Moment[] {
  const { span } = tool
  const { calling, called } = callValues(tool)
  const begun = { type: 'tool', time: span.startTimeUnixNano, values: calling }
  return span.pending ? [begun] : [begun, { type: 'tool', time: span.endTimeUnixNano, values: called }]
}

/** Whether an answer is still awaited. */
const isOpen = ({ span }: SpanNode): boolean =>
  span.pending || decodeFields(ROLE_FIELDS.wait, span.attributes).waiting === true

/** What the person is asked, and that they are. An open wait is the last that has happened, whenever it began. */
function waitMoments(wait: SpanNode): Moment[] {
  const { title, formDescription } = decodeFields(ROLE_FIELDS.wait, wait.span.attributes)
  const content = formDescription ?? title
  const time = wait.span.startTimeUnixNano
  const isLast = isOpen(wait)
  const asked = content === undefined ? [] : [{ type: 'message', time, isLast, values: { role: 'assistant', content } }]
  return [...asked, { type: 'wait', time, isLast, values: {} }]
}

function endMoments(plan: SpanNode, steps: readonly Step[]): Moment[] {
  const state = stateOf(plan)
  const time = plan.span.endTimeUnixNano
  if (state === 'failed') {
    const { errorMessage } = decodeFields(everySpanFields, plan.span.attributes)
    return [{ type: 'error', time, values: { error: errorMessage ?? 'The plan failed.' } }]
  }
  const done = { type: 'done', time, values: {} }
  if (state === 'cancelled') return [done]
  if (state !== 'completed') return []
  const { summary, result } = decodeFields(ROLE_FIELDS.plan, plan.span.attributes)
  const content = summary ?? result
  return [
    ...(content === undefined ? [] : [{ type: 'message', time, values: { role: 'assistant', content } }]),
    planMoment(plan, latestSteps(plan), steps, 'completed', time),
    done,
  ]
}
