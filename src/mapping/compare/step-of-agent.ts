import { agentFields, decodeFields } from '../../semconv/index.js'
import type { PlanStep } from '../plan/index.js'
import type { SpanNode } from '../tree/index.js'

const { stepId, stepIndex, stepDescription } = agentFields
const FIELDS = { stepId, stepIndex, stepDescription }

/** The steps of a plan, matched with their agents. */
export class StepsOfAgents {
  readonly #steps: readonly PlanStep[]
  readonly #byId: ReadonlyMap<string, PlanStep>
  readonly #begun = new Set<PlanStep>()

  constructor(steps: readonly PlanStep[]) {
    this.#steps = steps
    this.#byId = new Map(steps.flatMap((step) => (step.id === undefined ? [] : [[step.id, step] as const])))
  }

  /** Returns the title of an agent's step. Undefined for an agent without a step. */
  titleFor({ span }: SpanNode): string | undefined {
    const values = decodeFields(FIELDS, span.attributes)
    const step = this.#byId.get(values.stepId ?? '') ?? this.#steps[values.stepIndex ?? -1]
    if (step) this.#begun.add(step)
    return values.stepDescription ?? step?.title
  }

  /** Returns the steps that no agent was matched with. */
  notBegun(): readonly PlanStep[] {
    return this.#steps.filter((step) => !this.#begun.has(step))
  }
}
