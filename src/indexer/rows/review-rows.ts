import type { PlanFacts } from '../../mapping/index.js'
import { dateTime, type ReviewRowValues } from '../../store/index.js'
import { maybeTime } from './json-values.js'

/** Returns the rows of the decisions on a plan. */
export const reviewRows = ({ plan, reviews }: PlanFacts): Omit<ReviewRowValues, 'Version' | 'Gone'>[] =>
  reviews.map(({ attempt, action, feedback, reviewer, time }, at) => ({
    Timestamp: dateTime(plan.head.span.startTimeUnixNano),
    TraceId: plan.head.span.traceId,
    PlanId: plan.planId,
    Position: at + 1,
    RootPlanId: plan.rootPlanId,
    ServiceName: plan.head.span.serviceName,
    Attempt: Number.isSafeInteger(attempt) ? (attempt ?? null) : null,
    Decision: action ?? '',
    Feedback: feedback ?? '',
    Reviewer: reviewer ?? '',
    ReviewedAt: maybeTime(time),
  }))
