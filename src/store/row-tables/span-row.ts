import { attributes, big64, count8, flag, maybeFlag, maybeTime, type RowOf, text, time, word } from './row-column.js'

/**
 * The columns of `span_rows`: the plannings, agents, waits and guardrails of all plans, and of cycles, model calls and
 * tool calls those that their own row of `otel_traces` does not describe: calls of other instrumentations, open calls.
 */
export const SPAN_ROW = {
  Role: word('planning, agent, think_act, llm, tool, guardrail or wait.'),
  Timestamp: time('When it began.'),
  TraceId: text('The trace.'),
  SpanId: text('The span.'),
  ParentSpanId: text('The span above.'),
  ServiceName: word('The service.'),
  Duration: big64('Nanoseconds from its start to its end.'),
  SpanAttributes: attributes('The attributes in planspan’s conventions, of all segments; some are columns instead.'),
  PlanId: text('The plan or sub-plan that it belongs to.'),
  RootPlanId: text('The outermost plan.'),

  State: word('The state by what is stored; empty for what has not begun. See InterruptedAt.'),
  InterruptedAt: maybeTime('From this time on the state is interrupted, unless more spans arrive; NULL for never.'),
  Ended: flag('Whether the span has ended.'),
  Error: text('The error message.'),
  UsageRole: word('Of a model call, whose it is: agent, world_model, harmonyguard or reactive.'),
  IsJudgement: flag('Whether a guardrail judged an action here, and did not repeat another judgement.'),
  Unsafe: flag('Of a judgement, whether the action was found unsafe: without a verdict, whether it violates policies.'),
  Taken: maybeFlag('Of a judgement, whether the action was taken; NULL where that is not known.'),
  JudgedTool: text('Of a judgement, the tool of the judged call.'),

  Replaces: flag('Whether an ended row of otel_traces describes the same span, and this row counts instead.'),
  Version: big64(
    'How much was known when the row was written: of several rows the one with the highest version counts.',
  ),
  Gone: count8('1 if the row is to be removed.'),
}

export type SpanRowValues = RowOf<typeof SPAN_ROW>
