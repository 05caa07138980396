import {
  attributes,
  big64,
  count16,
  count32,
  count8,
  flag,
  maybeNumber,
  maybeTime,
  sum64,
  text,
  time,
  word,
  words,
  maybeInt64,
  maybeFlag,
  type RowOf,
} from './row-column.js'

/** The columns of `plan_rows`: one row for each plan of a trace, with the facts that the mapping decides. */
export const PLAN_ROW = {
  Timestamp: time('The start time of the plan, or of its first span if the plan span is not stored.'),
  TraceId: text('The trace.'),
  PlanId: text('The plan.'),
  RootPlanId: text('The outermost plan; the plan itself if it is the outermost.'),
  SpanId: text('The plan span; empty while it is not stored.'),
  ParentSpanId: text('The parent span.'),
  ServiceName: word('The service of the plan span, or of the first span of the plan.'),
  Duration: big64('Nanoseconds from the start of the plan span to its end.'),
  SpanAttributes: attributes(
    'The attributes of the plan span, in planspan’s conventions, of all segments; some are columns instead.',
  ),
  Error: text('The error message of the plan span.'),

  State: word('The state that the stored spans show. See InterruptedAt.'),
  InterruptedAt: maybeTime(
    'The time from which the state is interrupted, unless more spans arrive; NULL if it never is.',
  ),
  Ended: flag('Whether the plan is over.'),
  LastSeen: time('The latest end of a span in the plan and its sub-plans.'),
  WaitingSince: maybeTime('The time since which the plan waits for a person; NULL unless it waits.'),

  PlanSpan: count8('0: the plan span is not stored, 1: only snapshots of it are, 2: it has ended.'),
  Listed: count8('2: in all lists, 1: only in lists of its own trace, 0: part of a listed plan.'),
  IsRoot: flag('Whether it is an outermost plan.'),
  Superseded: flag('Whether a later import of the same record replaces it.'),
  Role: word('plan, or agent for the record of a single agent; empty while the span is not stored.'),
  Name: text('The workflow, or the agent of such a record.'),
  ShownTitle: text('The first 500 characters of the title.'),
  ShownRequest: text('The first 500 characters of the request.'),
  ShownAnswer: text('The first 1,000 characters of the answer.'),

  Dialect: word('The format of the imported record; empty for a live plan.'),
  Source: text('The source of the imported record, as given with --source.'),
  RecordKey: text('The key of the imported record: the same for each of its imports.'),
  Digest: text('The digest of the imported record.'),
  RecordSpans: count32('The number of spans of the imported record, as its importer states it.'),
  MappingVersion: count16('The version of the mapping that wrote the spans.'),
  Redacted: flag('Whether values were masked or left out on purpose.'),
  Convention: word('The convention of another instrumentation; empty for a plan of planspan’s own.'),

  StepCount: count32('The number of steps.'),
  StepsBegun: count32('The number of steps that have begun.'),
  StepsCompleted: count32('The number of completed steps.'),
  CurrentStep: text('The title of the current step, or of the last one; at most 500 characters.'),
  ProgressPercent: maybeNumber('The progress, percent: as the record states it, or computed from the steps.'),

  Headline: text(
    'What went wrong, what the plan does, and for what it waits, the most important first, one remark per line.',
  ),
  HeadlineKinds: words('For each line of the headline: fault, unsafe, wait or activity.'),
  HeadlineSpans: words('For each line of the headline, the span that it is about.'),
  ActivitySince: maybeTime('The time since which the plan does what the headline describes; NULL if it does not.'),

  Spans: count32('The number of ended spans. This and all figures below include the sub-plans of an outermost plan.'),
  Errors: count32('The number of these spans with the status Error.'),
  Failures: count32('The number of original failures, as GET /api/records/{planId}/faults lists them.'),
  ModelCalls: count32('The number of model calls; an outermost plan includes those of its sub-plans.'),
  UnpricedCalls: count32('The number of calls without a known price or without tokens.'),
  InputTokens: sum64('Input tokens of these calls.'),
  OutputTokens: sum64('Output tokens.'),
  TotalTokens: sum64('Input and output tokens.'),
  CacheReadTokens: sum64('Input tokens read from a cache.'),
  CacheWriteTokens: sum64('Input tokens written to a cache.'),
  ReasoningTokens: sum64('Output tokens spent on reasoning.'),
  AgentTokens: sum64('Tokens of the agents’ own calls.'),
  WorldModelTokens: sum64('Tokens of the world model.'),
  PolicyGuardrailTokens: sum64('Tokens of the guardrail that checks policies.'),
  ReactiveGuardrailTokens: sum64('Tokens of the guardrail that reacts to actions.'),
  CostUsd: maybeNumber('The cost of the calls with a known price, US dollars; NULL if no call has one.'),

  Risk: maybeNumber('The highest risk score; NULL without scores.'),
  Judged: count32('Actions that guardrails judged.'),
  Unsafe: count32('Judged actions that were found unsafe.'),
  UnsafeStopped: count32('Unsafe actions that were not taken.'),
  UnsafeTaken: count32('Unsafe actions that were taken.'),

  Agents: words('The names of the agents.'),
  Tools: words('The names of the tools that were called.'),
  Models: words('The models, requested or answering.'),
  ErrorTypes: words('The classes of the errors.'),
  Services: words('The services of the spans.'),
  Conversations: words('The ids of the conversations.'),
  ErrorText: text('The classes and messages of the errors, one per line, at most 64 KiB.'),

  Version: big64('The version of the row. Among rows with the same key, the highest version counts.'),
  Gone: count8('1 for a removed row.'),
}

export type PlanRowValues = RowOf<typeof PLAN_ROW>

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
  Ended: flag('Whether the work of the span is over.'),
  Error: text('The error message.'),
  UsageRole: word('The component that made a model call: agent, world_model, policy_guardrail or reactive_guardrail.'),
  IsJudgement: flag('Whether the span is a guardrail’s judgement of an action, and does not repeat another one.'),
  Unsafe: flag(
    'Whether a judged action was found unsafe: by the verdict, or without a verdict because it violates policies.',
  ),
  Taken: maybeFlag('Whether a judged action was taken; NULL if unknown.'),
  TakenAt: maybeTime(
    'The end of a judged action that was taken, or of the judgement if that is later; for an open call, its last snapshot.',
  ),
  JudgedTool: text('The tool of a judged call.'),

  Replaces: flag('Whether an ended row of otel_traces describes the same span, and this row counts instead.'),
  Version: big64('The version of the row. Among rows with the same key, the highest version counts.'),
  Gone: count8('1 for a removed row.'),
}

export type SpanRowValues = RowOf<typeof SPAN_ROW>

/** The columns of `link_rows`: where the plan of one trace may go on in another one. */
export const LINK_ROW = {
  Timestamp: time('When it was asked, or when the trace with the answer began.'),
  TraceId: text('The first trace of the plan.'),
  EndTraceId: text('The trace that asks or answers; the first one, or one in which the plan goes on.'),
  Side: word('asks or answers.'),
  Key: text('The service, the conversation or agent, and the id that both sides share.'),
  InConversation: flag('Whether the key names a conversation.'),
  Version: big64('What was known when the row was written.'),
  Gone: count8('1 for a removed row.'),
}

export type LinkRowValues = RowOf<typeof LINK_ROW>
