import type { ReviewAction, WaitReason, WaitResolution } from '../../semconv/index.js'
import type { SpanHandle } from './span-handle.js'

/** The options of a wait, known when it starts. */
export interface WaitOptions {
  reason?: WaitReason | undefined
  /** The title of the form. */
  title?: string | undefined
  /** The question to the person. */
  formDescription?: string | undefined
  /** The inputs of the form, a list of objects. */
  formInputs?: unknown
}

/** A person's answer. */
export interface WaitAnswer {
  resolution?: WaitResolution | undefined
  /** The person who answered. */
  actor?: string | undefined
  /** The inputs of the form, as filled in. */
  formInputs?: unknown
}

/** A reviewer's decision on a plan. */
export interface ReviewDecision {
  action: ReviewAction
  feedback?: string | undefined
  /** The number of the reviewed attempt at the plan. @default one more than the last */
  attempt?: number | undefined
}

/** A wait for a person (`wait_for_user`). A refused, expired or cancelled wait is not an error. */
export interface WaitSpan extends SpanHandle {
  set(values: WaitOptions): void
  answer(answer: WaitAnswer): void
  /** Records the answer to a plan review, also in the plan's review log. An ABORT cancels the plan. */
  review(decision: ReviewDecision, actor?: string): void
  /**
   * Stops this run of the plan until the person answers: ends the wait and all spans above it, up to the outermost
   * plan, with the state waiting. Returns the token with which `resume` continues, in any process and at any time.
   * Leave the callbacks afterwards; further calls on these spans, and errors thrown through them, have no effect.
   *
   * @example
   * const token = p.startWait({ reason: 'plan_review', title: 'Review the plan' }).suspend()
   */
  suspend(): string
}
