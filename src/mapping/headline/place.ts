import { latestSteps, placesOfAgents, type PlanStep } from '../plan/index.js'
import { ancestors, type SpanNode } from '../tree/index.js'

/** The step of a plan that a span belongs to. */
export interface StepOf {
  /** The outermost agent that worked on the step. */
  readonly agent: SpanNode
  /** The position in the plan, from 0. */
  readonly index: number
  readonly title: string
  /** The number of steps of the plan. */
  readonly count: number
}

/** Returns a function that finds the step of a plan that a span was part of. Undefined for spans of no step. */
export function stepsAround(head: SpanNode): (node: SpanNode) => StepOf | undefined {
  const steps: readonly PlanStep[] = latestSteps(head)
  const placeOf = placesOfAgents(head)
  return (node) => {
    let found: StepOf | undefined
    for (const agent of [node, ...ancestors(node)]) {
      if (agent === head) break
      const index = agent.role === 'agent' ? placeOf(agent) : undefined
      if (typeof index !== 'number') continue
      found = { agent, index, title: steps[index]?.title ?? '', count: Math.max(steps.length, index + 1) }
    }
    return found
  }
}
