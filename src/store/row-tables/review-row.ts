import { big64, count32, count8, maybeInt64, maybeTime, type RowOf, text, time, word } from './row-column.js'

/** The columns of `review_rows`: one row for each decision on a plan. */
export const REVIEW_ROW = {
  Timestamp: time('When the plan began.'),
  TraceId: text('The trace.'),
  PlanId: text('The plan.'),
  Position: count32('The place among the reviews of the plan, from 1.'),
  RootPlanId: text('The outermost plan.'),
  ServiceName: word('The service of the plan.'),
  Attempt: maybeInt64('Which attempt at the plan was reviewed, from 1.'),
  Decision: text('ACCEPT_PLAN, REQUEST_CHANGES or ABORT.'),
  Feedback: text('What the reviewer said.'),
  Reviewer: text('Who decided, or the reviewer of the plan if the decision does not name one.'),
  ReviewedAt: maybeTime('When; NULL for an imported record without this time.'),
  Version: big64(
    'How much was known when the row was written: of several rows the one with the highest version counts.',
  ),
  Gone: count8('1 if the row is to be removed.'),
}

export type ReviewRowValues = RowOf<typeof REVIEW_ROW>
