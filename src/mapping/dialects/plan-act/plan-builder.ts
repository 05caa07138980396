import { type EventValues, WORKFLOW } from './plan-act-event.js'
import { SpanBuilder } from './span-builder.js'
import type { PlanSink } from './span-sink.js'

/** The plan span of an imported session. */
export class PlanBuilder extends SpanBuilder implements PlanSink {
  readonly #planId: string | undefined

  /** `carried` are the values that all of the session's events repeat. The plan id is stored separately. */
  constructor(carried: EventValues, planId: string | undefined) {
    super('plan', { workflow: WORKFLOW, ...carried })
    this.#planId = planId
  }

  setCarried(values: EventValues): EventValues {
    return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== this.#carried(name)))
  }

  #carried(name: string): EventValues[string] {
    if (name === 'recordId') return this.#planId
    return this.values[name === 'sessionTitle' ? 'title' : name]
  }
}
