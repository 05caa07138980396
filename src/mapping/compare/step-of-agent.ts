import { agentFields, decodeFields } from '../../semconv/index.js'
import { latestSteps, placesOfAgents, type PlanStep } from '../plan/index.js'
import type { SpanNode } from '../tree/index.js'

const { stepId, stepDescription } = agentFields
const FIELDS = { stepId, stepDescription }

/** The steps of a plan, matched with their agents. */
export class StepsOfAgents {
  readonly #steps: readonly PlanStep[]
  readonly #placeOf: ReturnType<typeof placesOfAgents>
  readonly #byId: ReadonlyMap<string, PlanStep>
  readonly #begun = new Set<PlanStep>()

  constructor(plan: SpanNode) {
    const steps = latestSteps(plan)
    this.#steps = steps
    this.#placeOf = placesOfAgents(plan)
    this.#byId = new Map(steps.flatMap((step) => (step.id === undefined ? [] : [[step.id, step] as const])))
  }

  /** Returns the title of an agent's step. Undefined for an agent without a step. */
  titleFor(agent: SpanNode): string | undefined {
    const values = decodeFields(FIELDS, agent.span.attributes)
    const place = this.#placeOf(agent)
    const step = this.#byId.get(values.stepId ?? '') ?? (typeof place === 'number' ? this.#steps[place] : undefined)
    if (step) this.#begun.add(step)
    return values.stepDescription ?? step?.title
  }

  /** Returns the steps that no agent was matched with. */
  notBegun(): readonly PlanStep[] {
    return this.#steps.filter((step) => !this.#begun.has(step))
  }
}
