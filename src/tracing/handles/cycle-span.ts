import type { GuardrailOptions, GuardrailSpan } from './guardrail-span.js'
import type { ModelOptions, ModelSpan } from './model-span.js'
import type { SpanHandle } from './span-handle.js'
import type { ToolOptions, ToolSpan } from './tool-span.js'
import type { WaitOptions, WaitSpan } from './wait-span.js'

/** The values of a think-act cycle. */
export interface CycleValues {
  /** Whether the thought calls for an action. */
  actionNeeded?: boolean | undefined
  /** A description of the action. */
  actionDescription?: string | undefined
  /** The result of the action. */
  actionResult?: string | undefined
  /** The model's context window, tokens. */
  modelContextLimit?: number | undefined
}

export interface CycleOptions extends CycleValues {
  /** The index of the cycle, from 0. @default its position among the agent's cycles */
  index?: number | undefined
}

/** One think-act cycle of an agent (`agent_step`). */
export interface CycleSpan extends SpanHandle {
  set(values: CycleValues): void
  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T
  startModel(options?: ModelOptions): ModelSpan
  guardrail<T>(options: GuardrailOptions, fn: (guardrail: GuardrailSpan) => T): T
  startGuardrail(options?: GuardrailOptions): GuardrailSpan
  /**
   * Records one tool call; the callback's return value becomes the result, unless the callback sets one. A stream or
   * generator is returned before its work is done: use `startTool` for it, and end the call when the work is done.
   */
  tool<T>(options: ToolOptions, fn: (tool: ToolSpan) => T): T
  startTool(options: ToolOptions): ToolSpan
  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T
  startWait(options?: WaitOptions): WaitSpan
}
