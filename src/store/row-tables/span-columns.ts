import { attributes, big64, count8, flag, maybeFlag, maybeTime, type RowOf, text, time, word } from './row-column.js'

/**
 * The columns of `span_rows`. The table contains the plannings, agents, waits and guardrails of all plans, and the
 * cycles, model calls and tool calls that their own row of `otel_traces` does not describe: open calls, and calls of
 * other instrumentations.
 */
export const SPAN_ROW = {
  Role: word('planning, agent, think_act, llm, tool, guardrail or wait.'),
  Timestamp: time('The start time.'),
  TraceId: text('The trace.'),
  SpanId: text('The span.'),
  ParentSpanId: text('The parent span.'),
  ServiceName: word('The service.'),
  Duration: big64('Nanoseconds from its start to its end.'),
  SpanAttributes: attributes('The attributes in planspan’s conventions, of all segments; some are columns instead.'),
  PlanId: text('The plan or sub-plan that it belongs to.'),
  RootPlanId: text('The outermost plan.'),

  State: word('The state that the stored spans show; empty if it has not begun. See InterruptedAt.'),
  InterruptedAt: maybeTime(
    'The time from which the state is interrupted, unless more spans arrive; NULL if it never is.',
  ),
  Ended: flag('Whether the span has ended.'),
  Error: text('The error message.'),
  UsageRole: word('The component that made a model call: agent, world_model, harmonyguard or reactive.'),
  IsJudgement: flag('Whether the span is a guardrail’s judgement of an action, and does not repeat another one.'),
  Unsafe: flag(
    'Whether a judged action was found unsafe: by the verdict, or without a verdict because it violates policies.',
  ),
  Taken: maybeFlag('Whether a judged action was taken; NULL if unknown.'),
  JudgedTool: text('The tool of a judged call.'),

  Replaces: flag('Whether an ended row of otel_traces describes the same span, and this row counts instead.'),
  Version: big64('The version of the row. Among rows with the same key, the highest version counts.'),
  Gone: count8('1 for a removed row.'),
}

export type SpanRowValues = RowOf<typeof SPAN_ROW>
