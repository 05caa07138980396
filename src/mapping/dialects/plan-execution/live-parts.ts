import { agentFields, ATTR, encodeFields, type Role, type State } from '../../../semconv/index.js'
import {
  hashId,
  isAwaited,
  stateOf,
  bySeq,
  fromBelow,
  isForeignRecord,
  NOTHING_AROUND,
  type SpanNode,
} from '../../tree/index.js'
import { defaultStepId, latestSteps, placesOfAgents, type PlanStep } from '../../plan/index.js'
import { ABOVE_WAITS, agentsOf, subPlansOf } from './decode.js'
import { ownSpans } from './part-spans.js'

/** The roles below an object whose spans have objects, and therefore errors, of their own. */
export const OWN = {
  plan: ['agent', 'plan'],
  agent: ['think_act', 'plan'],
  think_act: ['plan'],
  tool: ['plan'],
} as const satisfies Partial<Record<Role, readonly Role[]>>

/** Returns the wait that a plan shows: the last unanswered one, including those of sub-plans. */
export const awaitedOf = fromBelow<SpanNode | undefined>(({ children }, below) => {
  const waits = children.map((child) => {
    if (child.role === 'wait') return isAwaited(child) ? child : undefined
    return child.role === undefined || THROUGH.has(child.role) ? below(child) : undefined
  })
  return waits.reduce(
    (last, wait) => (last && wait ? (bySeq(last, wait) < 0 ? wait : last) : (last ?? wait)),
    undefined,
  )
})
const THROUGH: ReadonlySet<Role> = new Set([...ABOVE_WAITS, 'plan'])

/** Returns the sub-plans below a span as Lynxe sorts them: by start, whichever call started them. */
export function liveSubPlansOf(above: SpanNode): SpanNode[] {
  const found = new Set(subPlansOf(above))
  return ownSpans(above, 'plan', new Set()).filter((plan) => found.has(plan))
}

/**
 * Returns the agents of a plan as Lynxe shows them. A live plan has an idle agent for each step that has not begun. A
 * completed plan has idle agents only for steps with an id, because others may have been done without an agent. If an
 * agent does not record its step, it is unknown which steps have begun, so there are no idle agents.
 */
export function liveAgentsOf(plan: SpanNode): SpanNode[] {
  const agents = agentsOf(plan)
  if (isImported(plan)) return agents
  const isCompleted = stateOf(plan) === 'completed'
  const begunIds = new Set(agents.map(({ span }) => span.attributes[ATTR.stepId]))
  const begun = new Set(agents.map(placesOfAgents(plan)))
  if (begun.has(undefined)) return agents
  const idle = latestSteps(plan).flatMap((step, index) =>
    begun.has(index) || begunIds.has(step.id) || (isCompleted && step.id === undefined)
      ? []
      : [idleAgent(plan, step, index)],
  )
  return idle.reduce((all, agent) => insert(all, agent), agents)
}

const imported = new WeakMap<SpanNode, boolean>()

/**
 * Whether a node belongs to an imported record. The result is cached for all nodes between it and the record's root.
 */
function isImported(plan: SpanNode): boolean {
  const passed: SpanNode[] = []
  let at: SpanNode | undefined = plan
  while (at && !imported.has(at) && at.span.attributes[ATTR.recordDialect] === undefined) {
    passed.push(at)
    at = at.parent
  }
  const answer = at !== undefined && (imported.get(at) ?? isForeignRecord(at.span))
  for (const node of passed) imported.set(node, answer)
  return answer
}

const indexOf = ({ span }: SpanNode): number => Number(span.attributes[ATTR.stepIndex])

function insert(agents: readonly SpanNode[], agent: SpanNode): SpanNode[] {
  const later = agents.findIndex((other) => indexOf(other) > indexOf(agent))
  return later < 0 ? [...agents, agent] : agents.toSpliced(later, 0, agent)
}

const IDLE: State = 'planning'

/** Returns the idle agent of a step that has not begun, by the step's id. */
export const idleAgentOf = (plan: SpanNode, stepId: string): SpanNode | undefined =>
  liveAgentsOf(plan).find(({ span }) => span.attributes[ATTR.stepId] === stepId)

/** Lynxe reads an agent's name and request from its step, `[NAME] what to do`. */
function idleAgent(plan: SpanNode, { id, title }: PlanStep, index: number): SpanNode {
  const [, name = 'Agent', request = ''] = /^\s*(?:\[([^\]]+)\])?\s*([^]*)$/.exec(title) ?? []
  const attributes: Record<string, string> = {
    [ATTR.stepIndex]: String(index),
    // Until the agent begins, Lynxe writes the index of the step here.
    [ATTR.agentCurrentStep]: String(index),
    [ATTR.state]: IDLE,
    [ATTR.agentName]: name,
    [ATTR.agentDescription]: 'No description available',
    ...encodeFields(agentFields, { request: request.trimEnd() || undefined }),
    [ATTR.stepId]: id ?? defaultStepId(plan.span.attributes[ATTR.planId] ?? '', index),
  }
  const spanId = hashId(`${plan.span.attributes[ATTR.planId] ?? ''}/${index}`, 16)
  const nothing = { statusCode: 'UNSET', statusMessage: '', events: [], links: [] } as const
  const span = { ...plan.span, ...nothing, spanId, attributes, pending: true }
  return { ...plan, span, role: 'agent', children: [], parent: plan, around: NOTHING_AROUND }
}
