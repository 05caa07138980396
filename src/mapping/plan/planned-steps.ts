import { appendTo } from '../../base/append.js'
import { agentFields, decodeFields, type State, toolFields } from '../../semconv/index.js'
import { placesOfAgents } from './places-of-agents.js'
import { latestSteps } from './plan-steps.js'
import { compare, stateIfBegun, stateOfWord, ancestors, ownNodes, type SpanNode } from '../tree/index.js'

/** A step of a plan with the work that was done for it. The view `steps` contains the same. */
export interface PlannedStep {
  /** The position in the plan, from 0. */
  readonly index: number
  readonly id: string | undefined
  /** Empty if no title was recorded. */
  readonly title: string
  /** Undefined for a step that has not begun. */
  readonly state: State | undefined
  /** The agents that worked on the step, by start. */
  readonly agents: readonly SpanNode[]
  /** The calls for the step that were not made by one of its agents. */
  readonly calls: readonly SpanNode[]
}

/** A plan's steps, and the work that belongs to no step. */
export interface PlannedWork {
  readonly steps: readonly PlannedStep[]
  /** The top-level agents that worked on none of the steps. */
  readonly others: readonly SpanNode[]
}

const { stepId, stepDescription } = agentFields
const OF_AGENT = { stepId, stepDescription }
const OF_CALL = { stepId: toolFields.stepId }

/** Returns the steps of a plan from its list and its agents. The last agent of a step decides the step's state. */
export function plannedWork(plan: SpanNode): PlannedWork {
  const listed = latestSteps(plan)
  const own = [...ownNodes(plan)]
  const agents = own.filter(({ role }) => role === 'agent')
  const byIndex = new Map<number, SpanNode[]>(listed.map((_, index) => [index, []]))
  const placeOf = placesOfAgents(plan)
  for (const agent of agents) {
    const place = placeOf(agent)
    if (typeof place === 'number') appendTo(byIndex, place, agent)
  }
  const calls = callsById(own)
  const steps = [...byIndex]
    .sort(([a], [b]) => a - b)
    .map(([index, stepAgents]): PlannedStep => {
      const { id, title = '', status } = listed[index] ?? {}
      const runs = stepAgents.filter((agent) => stateIfBegun(agent) !== undefined).sort(byBegin)
      const last = runs.at(-1)
      const values = stepAgents.map(({ span }) => decodeFields(OF_AGENT, span.attributes))
      return {
        index,
        id: id ?? highest(values.map((each) => each.stepId)),
        title: title || (highest(values.map((each) => each.stepDescription)) ?? ''),
        state: last ? stateIfBegun(last) : stateOfWord(status),
        agents: runs,
        calls: (id !== undefined && calls.get(id)) || [],
      }
    })
  const placed = new Set([...steps.flatMap((step) => [...step.agents, ...step.calls]), ...[...byIndex.values()].flat()])
  return { steps, others: agents.filter((agent) => isOther(agent, placed)).sort(byBegin) }
}

function callsById(own: readonly SpanNode[]): ReadonlyMap<string, readonly SpanNode[]> {
  const calls = new Map<string, SpanNode[]>()
  for (const node of own) {
    const id = node.role === 'tool' ? decodeFields(OF_CALL, node.span.attributes).stepId : undefined
    if (id !== undefined) appendTo(calls, id, node)
  }
  for (const found of calls.values()) found.sort(byBegin)
  return calls
}

/** Whether an agent belongs to no step and to no other agent, and did more than make calls for steps. */
function isOther(agent: SpanNode, placed: ReadonlySet<SpanNode>): boolean {
  if (placed.has(agent)) return false
  for (const { role } of ancestors(agent)) {
    if (role === 'plan') break
    if (role === 'agent') return false
  }
  return agent.children.length === 0 || agent.children.some((child) => !placed.has(child))
}

const byBegin = (a: SpanNode, b: SpanNode): number => compare(a.begun, b.begun)

const highest = (texts: readonly (string | undefined)[]): string | undefined =>
  texts
    .filter((text) => text !== undefined && text !== '')
    .reduce((a, b) => (a !== undefined && a > (b ?? '') ? a : b), undefined)
