import type { ModelOptions, ModelSpan } from './model-span.js'
import type { SpanHandle } from './span-handle.js'

/** The options of a planning, known when it starts. */
export interface PlanningOptions {
  /** The agent that plans. */
  planner?: string | undefined
  /** The reason for revising the plan. */
  reason?: string | undefined
}

/** Making or revising the plan (`plan`). */
export interface PlanningSpan extends SpanHandle {
  /** Records the steps that this planning produced; they become the plan's next revision. */
  steps(steps: readonly unknown[]): void
  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T
  startModel(options?: ModelOptions): ModelSpan
}
