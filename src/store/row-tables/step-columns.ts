import { big64, count32, count8, maybeNumber, maybeTime, type RowOf, text, time, word } from './row-column.js'

/** The columns of `step_rows`: one row for each step of a plan. */
export const STEP_ROW = {
  Timestamp: time('The start time of the plan.'),
  TraceId: text('The trace.'),
  PlanId: text('The plan.'),
  StepIndex: count32('The position in the plan, from 0.'),
  RootPlanId: text('The outermost plan.'),
  ServiceName: word('The service of the plan.'),
  StepId: text('The id of the step; empty if it has none.'),
  Title: text('The title of the step.'),
  State: word('The state that the stored spans show; empty if it has not begun. See InterruptedAt.'),
  InterruptedAt: maybeTime(
    'The time from which the state is interrupted, unless more spans arrive; NULL if it never is.',
  ),
  AgentName: text('The last agent that worked on it.'),
  Attempts: count32('The number of agents that worked on it.'),
  StartedAt: maybeTime('The start time of the first agent; NULL if the step has not begun.'),
  DurationMs: maybeNumber('The total duration of its agents, milliseconds.'),
  ErrorMessage: text('The error message of the last agent.'),
  Version: big64('The version of the row. Among rows with the same key, the highest version counts.'),
  Gone: count8('1 for a removed row.'),
}

export type StepRowValues = RowOf<typeof STEP_ROW>
