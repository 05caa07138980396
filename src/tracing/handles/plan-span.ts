import type { AgentOptions, AgentSpan } from './agent-span.js'
import type { SpanHandle } from './span-handle.js'
import type { ReviewDecision, WaitOptions, WaitSpan } from './wait-span.js'
import type { ModelOptions, ModelSpan } from './model-span.js'

/** The values of a plan. */
export interface PlanValues {
  title?: string | undefined
  /** The user's request: text, or chat messages. */
  request?: unknown
  /** The model, if the whole plan uses only one. */
  modelName?: string | undefined
  /** The subject of the plan. */
  topic?: string | undefined
  /** The goal of the plan. */
  goal?: string | undefined
  /** The language and region of the run, for example `zh-CN`. */
  locale?: string | undefined
  /** The planner's context besides the request, such as earlier feedback. */
  context?: string | undefined
  /** The assumptions of the plan. */
  assumptions?: readonly string[] | undefined
  /** The risks of the plan. */
  risks?: readonly string[] | undefined
  /** The number of tokens that the run may use. */
  budgetTokens?: number | undefined
  /** The cost that the run may cause, US dollars. */
  budgetCostUsd?: number | undefined
}

export interface PlanOptions extends PlanValues {
  /** The kind of plan, low cardinality. */
  workflow?: string | undefined
  /** Unique over all plans. @default `plan-` and a random UUID */
  planId?: string | undefined
  /** The id of the conversation or session. @default the parent plan's */
  conversationId?: string | undefined
  /** The steps, if known from the start: texts, or objects with a `title` or `description`, `id`, `status`, … */
  steps?: readonly unknown[] | undefined
  /** Whether what the callback returns is recorded as the answer, if none was recorded. @default true */
  captureReturn?: boolean | undefined
}

/** A new set of steps. */
export interface PlanUpdate extends PlanningOptions {
  /** Texts, or objects with a `title` or `description`, `id`, `status`, … */
  steps: readonly unknown[]
}

/** A message between the user and the plan's agents. */
export interface PlanMessage {
  /** `user`, `assistant`, … */
  role: string
  content: unknown
}

/** One run of a plan (`invoke_workflow`). */
export interface PlanSpan extends SpanHandle {
  /** The id under which the plan's record is found. */
  readonly planId: string
  /** The id of the outermost plan; the plan's own id unless it is a sub-plan. */
  readonly rootPlanId: string
  /**
   * The token with which `resume` continues the plan after this process has ended: letters, digits, `.`, `_` and `-`,
   * suitable for a database row or URL. It contains ids and no content. It is available from the start; a token that is
   * read later also holds the open wait and the number of reviews. A sub-plan returns its outermost plan's token.
   */
  readonly token: string
  set(values: PlanValues): void
  /** Records the answer as a text. Without a summary and a result, it is what the callback returned. */
  summary(summary: string): void
  /** Records the structured result of the plan. */
  result(result: unknown): void
  /** Records a new set of steps that was made without a planning callback. */
  update(update: PlanUpdate): void
  /** Records a reviewer's decision outside a wait. An ABORT cancels the plan. */
  review(decision: ReviewDecision): void
  /** Records a message as an event of the plan. */
  message(message: PlanMessage): void
  planning<T>(options: PlanningOptions, fn: (planning: PlanningSpan) => T): T
  startPlanning(options?: PlanningOptions): PlanningSpan
  agent<T>(options: AgentOptions, fn: (agent: AgentSpan) => T): T
  startAgent(options?: AgentOptions): AgentSpan
  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T
  startWait(options?: WaitOptions): WaitSpan
}

/** The options of a planning, known when it starts. */
export interface PlanningOptions {
  /** The agent that plans. */
  planner?: string | undefined
  /** The reason for revising the plan. */
  reason?: string | undefined
}

/** Making or revising the plan (`plan`). */
export interface PlanningSpan extends SpanHandle {
  /** Records the steps that this planning produced, texts or objects; they become the plan's next revision. */
  steps(steps: readonly unknown[]): void
  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T
  startModel(options?: ModelOptions): ModelSpan
}
