import { big64, count32, count8, maybeNumber, maybeTime, type RowOf, text, time, word } from './row-column.js'

/** The columns of `step_rows`: one row for each step of a plan. */
export const STEP_ROW = {
  Timestamp: time('When the plan began.'),
  TraceId: text('The trace.'),
  PlanId: text('The plan.'),
  StepIndex: count32('The place in the plan, from 0.'),
  RootPlanId: text('The outermost plan.'),
  ServiceName: word('The service of the plan.'),
  StepId: text('The id of the step; empty if it has none.'),
  Title: text('What is to be done.'),
  State: word('The state by what is stored; empty for a step that has not begun. See InterruptedAt.'),
  InterruptedAt: maybeTime('From this time on the state is interrupted, unless more spans arrive; NULL for never.'),
  AgentName: text('The agent that worked on it last.'),
  Attempts: count32('How many agents worked on it.'),
  StartedAt: maybeTime('When the first agent began; NULL for a step not begun.'),
  DurationMs: maybeNumber('How long its agents took, milliseconds.'),
  ErrorMessage: text('The error message of the last agent.'),
  Version: big64(
    'How much was known when the row was written: of several rows the one with the highest version counts.',
  ),
  Gone: count8('1 if the row is to be removed.'),
}

export type StepRowValues = RowOf<typeof STEP_ROW>
