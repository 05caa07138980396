import type { ModelOptions, ModelSpan } from './model-span.js'
import type { SpanHandle } from './span-handle.js'

/** The options of a guardrail, known when it starts. */
export interface GuardrailOptions {
  /** The guardrail's name, for example `world_model`. */
  name?: string | undefined
  /**
   * The tool call that is judged. @default the cycle's calls that start after the guardrail, before its next judgement,
   * and name no other guardrail
   */
  action?: ProposedAction | undefined
}

/** A tool call as a model proposes it. */
export interface ProposedAction {
  /** The tool. */
  name?: string | undefined
  /** The id of the call, as the model gave it. */
  callId?: string | undefined
  /** The arguments: text as it is, else its JSON text. */
  arguments?: unknown
}

/** The finding of a guardrail. */
export interface Risk {
  /** The risk, from 0 (none) to 1. */
  score?: number | undefined
  /** Whether the guardrail lets the action pass. */
  isSafe?: boolean | undefined
  /** The ids of the policies that the action violates. */
  policies?: readonly string[] | undefined
  /** The guardrail's reasons. */
  explanation?: string | undefined
  /** The world model's prediction. */
  worldModel?: WorldModel | undefined
}

/** A world model's prediction of an action. */
export interface WorldModel {
  semanticDelta?: string | undefined
  /** Elements that would appear or disappear, any JSON data. */
  elementChanges?: unknown
  longTermImpact?: string | undefined
  optimizationGuidance?: string | undefined
}

/** One risk assessment (`run_guardrail`). */
export interface GuardrailSpan extends SpanHandle {
  /** Records the guardrail's finding, also as an event `gen_ai.evaluation.result` of the cycle that it judges. */
  risk(risk: Risk): void
  /** Records the guardrail's own model call. */
  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T
  startModel(options?: ModelOptions): ModelSpan
}
