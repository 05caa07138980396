import type { AgentOptions, AgentSpan } from './agent-span.js'
import type { PlanningOptions, PlanningSpan } from './planning-span.js'
import type { SpanHandle } from './span-handle.js'
import type { ReviewDecision, WaitOptions, WaitSpan } from './wait-span.js'

/** The values of a plan. */
export interface PlanValues {
  title?: string | undefined
  /** The user's request: text, or chat messages. */
  request?: unknown
  /** The model for the whole plan. */
  modelName?: string | undefined
}

export interface PlanOptions extends PlanValues {
  /** The kind of plan, low cardinality. */
  workflow?: string | undefined
  /** Unique over all plans. @default `plan-` and a random UUID */
  planId?: string | undefined
  /** The conversation or session. @default the one of the plan above */
  conversationId?: string | undefined
  /** The steps, when they are known from the start. */
  steps?: readonly unknown[] | undefined
}

/** A new set of steps. */
export interface PlanUpdate extends PlanningOptions {
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
  /** The id of the outermost plan; a plan that is no sub-plan is its own. */
  readonly rootPlanId: string
  /**
   * What `resume` goes on with when this process is gone: a text of letters, digits, `.`, `_` and `-` for a database
   * row or URL, ids and no content. It can be had from the start; a later one also knows the wait that is open and how
   * many reviews there were. A sub-plan gives its outermost plan's.
   */
  readonly token: string
  set(values: PlanValues): void
  /** The closing summary. */
  summary(summary: string): void
  /** The structured result of the plan. */
  result(result: unknown): void
  /** A new set of steps, made without a planning callback. */
  update(update: PlanUpdate): void
  /** A reviewer's decision that no wait was recorded for. An ABORT cancels the plan. */
  review(decision: ReviewDecision): void
  /** A message, as an event of the plan. */
  message(message: PlanMessage): void
  planning<T>(options: PlanningOptions, fn: (planning: PlanningSpan) => T): T
  startPlanning(options?: PlanningOptions): PlanningSpan
  agent<T>(options: AgentOptions, fn: (agent: AgentSpan) => T): T
  startAgent(options?: AgentOptions): AgentSpan
  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T
  startWait(options?: WaitOptions): WaitSpan
}
