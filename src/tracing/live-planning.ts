import { planningFields } from '../semconv/index.js'
import type { ModelOptions, ModelSpan } from './handles/model-span.js'
import type { PlanningOptions, PlanningSpan } from './handles/plan-span.js'
import { liveFields } from './live-fields.js'
import { LiveModel } from './live-model.js'
import { LiveSpan } from './live-span.js'
import { readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'
import { stepValues } from './step-values.js'

const FIELDS = liveFields(planningFields)

/** Making or revising the plan (`plan`). */
export class LivePlanning extends LiveSpan implements PlanningSpan {
  readonly #reason: string | undefined

  /** Made by `planning` and `startPlanning` of a plan. */
  constructor(parent: LiveSpan, options?: PlanningOptions) {
    const subject = readText(options, 'planner')
    super({ role: 'planning', fields: FIELDS, parent, subject, subjectField: 'planner', options })
    this.#reason = readText(options, 'reason')
    this.run.planningBegan()
  }

  steps(steps: readonly unknown[]): void {
    if (this.ended || !Array.isArray(steps)) return
    this.write({ ...stepValues(steps), revision: this.run.revise(steps, this.#reason) })
  }

  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T {
    return runInSpan((given?: ModelOptions) => this.startModel(given), options, fn)
  }

  startModel(options?: ModelOptions): LiveModel {
    return new LiveModel(this, options)
  }

  protected override ending(): void {
    this.run.planningEnded()
  }
}
