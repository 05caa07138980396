import { trace, type Context } from '@opentelemetry/api'
import { ATTR, LINK_TYPES } from '../semconv/index.js'
import { countDrop } from './drops.js'
import type { PlanSpan } from './handles/plan-span.js'
import type { ReviewDecision, WaitAnswer, WaitSpan } from './handles/wait-span.js'
import { LivePlan } from './live-plan.js'
import { LiveWait } from './live-wait.js'
import type { Clock } from './plan-clock.js'
import { PlanRun } from './plan-run.js'
import { parsePlanToken, type PlanToken } from './plan-token.js'
import { countUnknownOptions } from './option-names.js'
import { openPlan, planTracer } from './plan.js'
import { readOption, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'
import { activeContext, withoutScope } from './scope.js'

/** How a plan continues. */
export interface ResumeOptions {
  /** The person's answer to the open wait. @default the wait ends without an answer */
  answer?: WaitAnswer | undefined
  /** The reviewer's decision, if the plan waited for a review. An ABORT cancels the plan. */
  review?: ReviewDecision | undefined
}

/**
 * Continues a plan that was suspended, or whose process has ended: opens its next segment, in the same trace and with
 * the same plan id, and ends it when the callback is done. An open wait ends now, answered or not. An agent continues a
 * step if it is started with the step's index or id. If the token can't be read, a warning is logged, the drop is
 * counted, and a new plan starts.
 *
 * @example
 * await resume(token, { review: { action: 'ACCEPT_PLAN' } }, async (p) => {
 *   await p.agent({ name: 'researcher', step: 0 }, research)
 * })
 */
export function resume<T>(token: string, fn: (plan: PlanSpan) => T): T
export function resume<T>(token: string, options: ResumeOptions, fn: (plan: PlanSpan) => T): T
export function resume<T>(
  token: string,
  options: ResumeOptions | ((plan: PlanSpan) => T),
  fn?: (plan: PlanSpan) => T,
): T {
  return runInSpan((given?: ResumeOptions) => openResumed(token, given), options, fn)
}

/**
 * `resume` for code that can't nest callbacks; end the plan with `end()` or `fail(error)`.
 *
 * @example
 * const p = startResume(token, { answer: { resolution: 'submitted' } })
 */
export const startResume = (token: string, options?: ResumeOptions): PlanSpan => openResumed(token, options)

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof ResumeOptions>(['answer', 'review'])

function openResumed(token: string, options?: ResumeOptions): LivePlan {
  countUnknownOptions('resume()', options, OPTION_NAMES)
  const parsed = parsePlanToken(token)
  if ('token' in parsed) return openSegment(parsed.token, options)
  countDrop('token', `a token, because ${parsed.problem}`)
  return openPlan({}, withoutScope(activeContext()))
}

/** Opens the next segment of a plan. @default with a clock of its own */
export function openSegment(token: PlanToken, options?: ResumeOptions, clock?: Clock): LivePlan {
  const { planId, conversationId, workflow, span } = token
  const run = new PlanRun({
    identity: { planId, rootPlanId: planId, conversationId },
    tracer: planTracer(),
    resumed: token,
    clock,
  })
  const plan = new LivePlan({
    run,
    parent: undefined,
    parentContext: contextOf(token),
    options: { workflow },
    links: span && [{ context: span, attributes: { [ATTR.linkType]: LINK_TYPES.resumedFrom } }],
    values: { segment: run.segment },
  })
  if (token.wait) answer(new LiveWait(plan, { reason: token.wait.reason }, token.wait), options)
  return plan
}

// The SDK can't start a root span in an existing trace.
function contextOf({ span }: PlanToken): Context {
  const context = withoutScope(activeContext())
  return span ? trace.setSpanContext(context, span) : context
}

function answer(wait: WaitSpan, options: ResumeOptions | undefined): void {
  const given = readOption(options, 'answer')
  const review = readOption(options, 'review')
  if (given) wait.answer(given)
  if (review) wait.review(review, given && readText(given, 'actor'))
  wait.end()
}
