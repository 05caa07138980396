import { agentFields, decodeFields, everySpanFields, planFields, planningFields } from '../../../semconv/index.js'
import { latestSteps, planSteps, type PlanStep } from '../../plan/index.js'
import { stateOf, stateOfWord, nearest, type SpanNode } from '../../tree/index.js'
import { descriptionOf, endStatus, stepIdOf, type Moment, type Step } from './moment.js'

/** Returns a plan event for each planning that is over or, without plannings, one for the initially known steps. */
export function planMoments(plan: SpanNode, steps: readonly Step[]): Moment[] {
  const begun = nearest(plan, 'planning')
  const plannings = begun.filter(({ span }) => !span.pending)
  if (plannings.length === 0) {
    const known = latestSteps(plan)
    const isUnknown = plan.span.pending && steps.length === 0 && (known.length === 0 || begun.length > 0)
    if (isUnknown) return []
    const created = planMoment(plan, known, steps, 'created', plan.span.startTimeUnixNano)
    return [{ subject: 'plan', place: 'first', ...created }]
  }
  return plannings.map(({ span }, index) => {
    const own = planSteps(decodeFields(planningFields, span.attributes))
    const known = own.length > 0 ? own : latestSteps(plan)
    const word = index === 0 ? 'created' : 'updated'
    return { subject: `plan ${span.spanId}`, ...planMoment(plan, known, steps, word, span.endTimeUnixNano) }
  })
}

/** Returns a plan event with the steps as they were at that time. */
export function planMoment(
  plan: SpanNode,
  known: readonly PlanStep[],
  agents: readonly Step[],
  eventStatus: string,
  time: bigint,
): Omit<Moment, 'subject'> {
  const {
    request = '',
    title = request,
    goal = title,
    language,
    message,
  } = decodeFields(planFields, plan.span.attributes)
  const begun = agents.filter(({ agent }) => agent.span.startTimeUnixNano <= time)
  const count = (known.length > 0 ? begun : agents).reduce((most, { index }) => Math.max(most, index + 1), known.length)
  const steps = Array.from({ length: count }, (_, index) => {
    const step = known[index]
    const runs = agents.filter((agent) => agent.index === index)
    const run = runs.findLast(({ agent }) => agent.span.startTimeUnixNano <= time) ?? runs[0]
    const status = run ? statusAt(run.agent, time) : pastStatus(step)
    const result = status === 'completed' ? (run ? resultOf(run.agent) : step?.result) : undefined
    const id = stepIdOf(known, index)
    const text = step?.title ?? (run ? descriptionOf(run, known) : '')
    return { text, rest: { id, status, result, success: status === 'completed', attachments: [] } }
  })
  return {
    type: 'plan',
    time,
    values: {
      recordId: decodeFields(everySpanFields, plan.span.attributes).planId,
      title,
      goal,
      language,
      message,
      steps: steps.map(({ text }) => text),
      stepsJson: JSON.stringify(steps.map(({ rest }) => rest)),
      eventStatus,
    },
  }
}

/** Returns the status of a step without an agent. */
function pastStatus(step: PlanStep | undefined): string {
  const state = stateOfWord(step?.status)
  return state === 'completed' || state === 'failed' || state === 'running' ? state : 'pending'
}

function statusAt(agent: SpanNode, time: bigint): string {
  const { span } = agent
  if (span.startTimeUnixNano > time) return 'pending'
  return span.pending || span.endTimeUnixNano > time ? 'running' : endStatus(stateOf(agent))
}

const resultOf = ({ span }: SpanNode): string | undefined => decodeFields(agentFields, span.attributes).result
