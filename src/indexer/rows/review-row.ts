import type { PlanFacts } from '../../mapping/index.js'
import type { ReviewRowValues } from '../../store/index.js'

/** The rows of the decisions on a plan. */
export const reviewRows = ({ plan, reviews }: PlanFacts): Omit<ReviewRowValues, 'Version' | 'Gone'>[] =>
  reviews.map(({ attempt, action, feedback, reviewer, time }, at) => ({
    Timestamp: plan.head.span.startTimeUnixNano,
    TraceId: plan.head.span.traceId,
    PlanId: plan.planId,
    Position: at + 1,
    RootPlanId: plan.rootPlanId,
    ServiceName: plan.head.span.serviceName,
    Attempt: Number.isSafeInteger(attempt) ? BigInt(attempt as number) : undefined,
    Decision: action ?? '',
    Feedback: feedback ?? '',
    Reviewer: reviewer ?? '',
    ReviewedAt: time,
  }))
