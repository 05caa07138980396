import { agentFields, ATTR, decodeFields, type Role, type State } from '../../../semconv/index.js'
import { hashId } from '../../assemble.js'
import { latestSteps, type PlanStep } from '../../plan-steps.js'
import { isAwaited, isUnended } from '../../state.js'
import { defaultStepId } from '../../step-id.js'
import { ancestors, nearest, NOTHING_AROUND, type SpanNode } from '../../tree.js'
import { ABOVE_WAITS, agentsOf } from './decode.js'

/** The roles below an object that have objects, and so errors, of their own. */
export const OWN = {
  plan: ['agent', 'plan'],
  agent: ['think_act', 'plan'],
  think_act: ['plan'],
  tool: ['plan'],
} as const satisfies Partial<Record<Role, readonly Role[]>>

/** The wait that a plan shows: the last whose answer is awaited, a sub-plan's too. */
export const awaitedOf = (plan: SpanNode): SpanNode | undefined =>
  nearest(plan, 'wait', [...ABOVE_WAITS, 'plan']).findLast(isAwaited)

/** The wait that an imported record shows as a form: of several the one that the form tells of. */
export const formWaitOf = (plan: SpanNode): SpanNode | undefined =>
  nearest(plan, 'wait', ABOVE_WAITS).findLast(({ span }) => span.attributes[ATTR.waitWaiting] !== undefined)

/**
 * The agents of a plan as Lynxe shows them: while a live plan goes on, an idle one for each step that none has begun.
 * Where an agent does not tell its step, nobody knows which those are.
 */
export function liveAgentsOf(plan: SpanNode): SpanNode[] {
  const agents = agentsOf(plan)
  if (isImported(plan) || !isUnended(plan)) return agents
  const begun = new Set(agents.map(({ span }) => decodeFields(agentFields, span.attributes).stepIndex))
  if (begun.has(undefined)) return agents
  const idle = latestSteps(plan).flatMap((step, index) => (begun.has(index) ? [] : [idleAgent(plan, step, index)]))
  return idle.reduce((all, agent) => insert(all, agent), agents)
}

const isImported = (plan: SpanNode): boolean =>
  [plan, ...ancestors(plan)].some(({ span }) => span.attributes[ATTR.recordDialect] !== undefined)

const indexOf = ({ span }: SpanNode): number => Number(span.attributes[ATTR.stepIndex])

function insert(agents: readonly SpanNode[], agent: SpanNode): SpanNode[] {
  const later = agents.findIndex((other) => indexOf(other) > indexOf(agent))
  return later < 0 ? [...agents, agent] : agents.toSpliced(later, 0, agent)
}

const IDLE: State = 'planning'

/** Lynxe takes an agent's name from the head of its step, `[NAME] what to do`. */
function idleAgent(plan: SpanNode, { id, title }: PlanStep, index: number): SpanNode {
  const attributes: Record<string, string> = {
    [ATTR.stepIndex]: String(index),
    [ATTR.state]: IDLE,
    [ATTR.agentName]: /^\s*\[([^\]]+)\]/.exec(title)?.[1] ?? 'Agent',
    [ATTR.agentDescription]: 'No description available',
    [ATTR.stepId]: id ?? defaultStepId(plan.span.attributes[ATTR.planId] ?? '', index),
  }
  const spanId = hashId(`${plan.span.spanId}/${index}`, 16)
  const span = { ...plan.span, spanId, attributes, events: [], links: [], pending: true }
  return { ...plan, span, role: 'agent', children: [], parent: plan, around: NOTHING_AROUND }
}
