import type { ReviewAction, WaitReason, WaitResolution } from '../../semconv/index.js'
import type { SpanHandle } from './span-handle.js'

export interface WaitOptions {
  reason?: WaitReason | undefined
  /** The title of the form. */
  title?: string | undefined
  /** The question to the person. */
  formDescription?: string | undefined
  /** The inputs of the form, a list of objects. */
  formInputs?: unknown
}

/** How a person answered. */
export interface WaitAnswer {
  resolution?: WaitResolution | undefined
  /** Who answered. */
  actor?: string | undefined
  /** The inputs of the form as they were filled in. */
  formInputs?: unknown
}

/** A reviewer's decision on a plan. */
export interface ReviewDecision {
  action: ReviewAction
  feedback?: string | undefined
  /** Which attempt at the plan was reviewed. @default one more than the last */
  attempt?: number | undefined
}

/** Waiting for a person (`wait_for_user`). A refused, expired or cancelled wait is no error. */
export interface WaitSpan extends SpanHandle {
  set(values: WaitOptions): void
  answer(answer: WaitAnswer): void
  /** The answer to a plan review; stands on the plan's review log, too. An ABORT cancels the plan. */
  review(decision: ReviewDecision, actor?: string): void
  /**
   * Stops this run of the plan until the person answers: ends the wait and all above it, up to the outermost plan, as
   * waiting. Answers the token with which `resume` goes on, in any process and at any time. Leave the callbacks then;
   * what is still called on the spans, or thrown through them, changes nothing.
   *
   * @example
   * const token = p.startWait({ reason: 'plan_review', title: 'Review the plan' }).suspend()
   */
  suspend(): string
}
