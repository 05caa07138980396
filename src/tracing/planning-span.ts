import { planningFields } from '../semconv/index.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { ModelSpan, type ModelOptions } from './model-span.js'
import { readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'

const FIELDS = liveFields(planningFields)

export interface PlanningOptions {
  /** The agent that plans. */
  planner?: string | undefined
  /** Why the plan is revised. */
  reason?: string | undefined
}

/** Making or revising the plan (`plan`). */
export class PlanningSpan extends LiveSpan {
  readonly #reason: string | undefined

  /** Made by `planning` and `startPlanning` of a plan. */
  constructor(parent: LiveSpan, options?: PlanningOptions) {
    const subject = readText(options, 'planner')
    super({ role: 'planning', fields: FIELDS, parent, subject, subjectField: 'planner', options })
    this.#reason = readText(options, 'reason')
    this.run.planningBegan()
  }

  /** The steps that this planning produced; they become the plan's, one revision further. */
  steps(steps: readonly unknown[]): void {
    if (this.ended || !Array.isArray(steps)) return
    this.write({ steps, revision: this.run.revise(steps, this.#reason) })
  }

  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T {
    return runInSpan(this.startModel(options), fn)
  }

  startModel(options?: ModelOptions): ModelSpan {
    return new ModelSpan(this, options)
  }

  protected override ending(): void {
    this.run.planningEnded()
  }
}
