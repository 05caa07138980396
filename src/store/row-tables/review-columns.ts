import { big64, count32, count8, maybeInt64, maybeTime, type RowOf, text, time, word } from './row-column.js'

/** The columns of `review_rows`: one row for each decision on a plan. */
export const REVIEW_ROW = {
  Timestamp: time('The start time of the plan.'),
  TraceId: text('The trace.'),
  PlanId: text('The plan.'),
  Position: count32('The position among the reviews of the plan, from 1.'),
  RootPlanId: text('The outermost plan.'),
  ServiceName: word('The service of the plan.'),
  Attempt: maybeInt64('The reviewed attempt at the plan, from 1.'),
  Decision: text('ACCEPT_PLAN, REQUEST_CHANGES or ABORT.'),
  Feedback: text('The feedback of the reviewer.'),
  Reviewer: text('The reviewer of the decision, or of the plan if the decision names no reviewer.'),
  ReviewedAt: maybeTime('The time of the decision; NULL for an imported record without this time.'),
  Version: big64('The version of the row. Among rows with the same key, the highest version counts.'),
  Gone: count8('1 for a removed row.'),
}

export type ReviewRowValues = RowOf<typeof REVIEW_ROW>
