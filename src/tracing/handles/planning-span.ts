import type { ModelOptions, ModelSpan } from './model-span.js'
import type { SpanHandle } from './span-handle.js'

export interface PlanningOptions {
  /** The agent that plans. */
  planner?: string | undefined
  /** Why the plan is revised. */
  reason?: string | undefined
}

/** Making or revising the plan (`plan`). */
export interface PlanningSpan extends SpanHandle {
  /** The steps that this planning produced; they become the plan's, one revision further. */
  steps(steps: readonly unknown[]): void
  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T
  startModel(options?: ModelOptions): ModelSpan
}
