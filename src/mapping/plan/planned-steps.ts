import { agentFields, decodeFields, type State, toolFields } from '../../semconv/index.js'
import { latestSteps } from './plan-steps.js'
import { standingOf, stateOfWord, ancestors, ownNodes, type SpanNode } from '../tree/index.js'

/** A step of a plan beside what was done for it. The view `steps` tells the same. */
export interface PlannedStep {
  /** Its place in the plan, from 0. */
  readonly index: number
  readonly id: string | undefined
  /** '' where nothing tells. */
  readonly title: string
  /** Undefined for what has not begun. */
  readonly state: State | undefined
  /** Those that worked on it, the first to begin first. */
  readonly agents: readonly SpanNode[]
  /** Calls for the step that no agent of its own made. */
  readonly calls: readonly SpanNode[]
}

/** A plan's steps, and what no step asked for. */
export interface PlannedWork {
  readonly steps: readonly PlannedStep[]
  /** The outermost agents that worked on none of the steps. */
  readonly others: readonly SpanNode[]
}

const { stepId, stepIndex, stepDescription } = agentFields
const OF_AGENT = { stepId, stepIndex, stepDescription }
const OF_CALL = { stepId: toolFields.stepId }

/** A step is known from the plan's list and from its agents, the last of which tells where it stands. */
export function plannedWork(plan: SpanNode): PlannedWork {
  const listed = latestSteps(plan)
  const own = [...ownNodes(plan)]
  const agents = own.filter(({ role }) => role === 'agent')
  const byIndex = new Map<number, SpanNode[]>(listed.map((_, index) => [index, []]))
  for (const agent of agents) {
    const index = decodeFields(OF_AGENT, agent.span.attributes).stepIndex
    if (index === undefined) continue
    const told = byIndex.get(index)
    if (told) told.push(agent)
    else byIndex.set(index, [agent])
  }
  const calls = callsById(own)
  const steps = [...byIndex]
    .sort(([a], [b]) => a - b)
    .map(([index, told]): PlannedStep => {
      const { id, title = '', status } = listed[index] ?? {}
      const runs = told.filter((agent) => standingOf(agent) !== undefined).sort(byBegin)
      const last = runs.at(-1)
      const says = told.map(({ span }) => decodeFields(OF_AGENT, span.attributes))
      return {
        index,
        id: id ?? highest(says.map((said) => said.stepId)),
        title: title || (highest(says.map((said) => said.stepDescription)) ?? ''),
        state: last ? standingOf(last) : stateOfWord(status),
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
    if (id === undefined) continue
    const known = calls.get(id)
    if (known) known.push(node)
    else calls.set(id, [node])
  }
  for (const found of calls.values()) found.sort(byBegin)
  return calls
}

/** Whether an agent is part of no step's work and of no other agent's, and did something else than steps' calls. */
function isOther(agent: SpanNode, placed: ReadonlySet<SpanNode>): boolean {
  if (placed.has(agent)) return false
  for (const { role } of ancestors(agent)) {
    if (role === 'plan') break
    if (role === 'agent') return false
  }
  return agent.children.length === 0 || agent.children.some((child) => !placed.has(child))
}

const byBegin = (a: SpanNode, b: SpanNode): number => (a.begun < b.begun ? -1 : a.begun > b.begun ? 1 : 0)

const highest = (texts: readonly (string | undefined)[]): string | undefined =>
  texts
    .filter((text) => text !== undefined && text !== '')
    .reduce((a, b) => (a !== undefined && a > (b ?? '') ? a : b), undefined)
