import { again, assistantMessage, boolean, double, int, json, text, textList, userMessage } from '../field.js'
import { cumulativeFields } from './environment-fields.js'
import { everySpanFields } from './every-span-fields.js'

/** `invoke_workflow`: one run of a plan or sub-plan. */
export const planFields = {
  workflow: again(everySpanFields.agentName, 'The workflow: the kind of plan, low cardinality.'),
  parentPlanId: text('planspan.plan.parent_id', 'The plan that started this sub-plan.', { structural: true }),
  parentToolCallId: text('planspan.plan.parent_tool_call_id', 'The tool call that started this sub-plan.', {
    structural: true,
  }),
  parentToolCall: json('planspan.plan.parent_tool_call', 'That tool call, when it has no span of its own.', {
    content: true,
  }),
  title: text('planspan.plan.title', 'The title of the plan.', { content: true }),
  request: userMessage('gen_ai.input.messages', 'What the user asked for.', { content: true }),
  steps: textList('planspan.plan.steps', 'The steps of the plan, as text.', { content: true }),
  currentStepIndex: int('planspan.plan.current_step_index', 'The index of the current step, from 0.'),
  completed: boolean('planspan.plan.completed', 'Whether the plan is over.', { latestOnly: true }),
  summary: text('planspan.plan.summary', 'The closing summary.', { content: true }),
  result: assistantMessage('gen_ai.output.messages', 'The structured result of the plan.', { content: true }),
  modelName: text('planspan.plan.model_name', 'The model that the record names for the whole plan.'),
  revision: int('planspan.plan.revision', 'How often the plan has been made or revised.'),
  segment: int('planspan.plan.segment', 'Which segment of a resumed plan the span is, from 0.'),
  waiting: boolean('planspan.wait.waiting', 'Whether the plan waits for a person.', {
    latestOnly: true,
  }),
  usageInputTokens: int(
    'planspan.usage.input_tokens',
    'Input tokens of all model calls of the plan, or of its segment.',
    {
      name: 'usageRollupInputTokens',
      summed: true,
      column: 'StatedInputTokens',
    },
  ),
  usageOutputTokens: int(
    'planspan.usage.output_tokens',
    'Output tokens of all model calls of the plan, or of its segment.',
    {
      name: 'usageRollupOutputTokens',
      summed: true,
      column: 'StatedOutputTokens',
    },
  ),
  usageTotalTokens: int('planspan.usage.total_tokens', 'Input and output tokens together.', {
    name: 'usageRollupTotalTokens',
    summed: true,
    column: 'StatedTotalTokens',
    stored: 'StatedTotalTokens',
  }),
  parentRecordId: text('planspan.record.parent_id', 'The JSON field `thinkActRecordId`, digit for digit.', {
    structural: true,
  }),
  progress: double('planspan.plan.progress', 'How much of the plan is done, percent.', {
    column: 'StatedProgressPercent',
  }),
  stepStatuses: textList('planspan.plan.step_statuses', 'The status of each step.'),
  stepAgents: textList('planspan.plan.step_agents', 'The agent of each step.'),
  statusCounts: json('planspan.plan.status_counts', 'How many steps have each status.'),
  writtenAt: text('planspan.record.written_at', 'When the record was stored, as it states, ISO 8601.'),
  locale: text('planspan.locale', 'The language and region of the run.'),
  context: text('planspan.plan.context', 'The planner’s context besides the request.', { content: true }),
  topic: text('planspan.plan.topic', 'What the plan is about.', { content: true }),
  goal: text('planspan.plan.goal', 'The goal of the plan.', { content: true }),
  stepsJson: json('planspan.plan.steps_json', 'The steps of the plan, a list of objects.', {
    content: true,
  }),
  assumptions: textList('planspan.plan.assumptions', 'What the plan assumes.', { content: true }),
  risks: textList('planspan.plan.risks', 'The risks of the plan.', { content: true }),
  language: text('planspan.plan.language', 'The language that the user is answered in.'),
  message: text('planspan.plan.message', 'The planner’s message to the user about the plan.', { content: true }),
  sessionTitle: text('planspan.session.title', 'The title of the session, if it differs from the plan’s.', {
    content: true,
  }),
  sessionStatus: text('planspan.session.status', 'The status of the session, in the source system’s own word.', {
    structural: true,
  }),
  sessionShared: boolean('planspan.session.shared', 'Whether others may see the session.'),
  planLocale: text('planspan.plan.locale', 'The language and region that the plan is written for.'),
  reviewer: text('planspan.review.reviewer', 'Who reviews the plan.'),
  budgetTokens: int('planspan.budget.tokens', 'How many tokens the run may take.'),
  budgetCostUsd: double('planspan.budget.cost_usd', 'What the run may cost, US dollars.'),
  taskId: text('planspan.task.id', 'The id of the benchmark task.', { structural: true }),
  taskParams: json('planspan.task.params', 'The settings of the run except the model, an object.'),
  taskInjection: json('planspan.task.injection', 'The prompt injection under test, an object.', { content: true }),
  taskJailbreak: boolean('planspan.task.jailbreak', 'Whether the task is a jailbreak.'),
  totalDurationSeconds: double(
    'planspan.plan.duration_seconds',
    'The duration of the run that the record states, seconds.',
  ),
  totalDurationMinutes: double(
    'planspan.plan.duration_minutes',
    'The same in minutes, if it is not 1/60 of the seconds.',
    { column: 'StatedDurationMinutes' },
  ),
  ...cumulativeFields,
  formatVersion: text('planspan.record.format_version', 'The version of its format that the record names.'),
  trajectoryId: text('planspan.trajectory.id', 'The id of a trajectory’s document.', { structural: true }),
  continuedIn: text('planspan.trajectory.continued_in', 'The file that continues the trajectory.'),
  notes: text('planspan.record.notes', 'The writer’s notes on the record.', { content: true }),
  usageCacheReadTokens: int('planspan.usage.cache_read_tokens', 'The input tokens that were read from a cache.', {
    name: 'usageRollupCacheReadTokens',
    summed: true,
    column: 'StatedCacheReadTokens',
  }),
  usageCostUsd: double('planspan.usage.cost_usd', 'The cost that the record states, US dollars.', {
    column: 'StatedCostUsd',
    summed: true,
  }),
  usageExtra: json('planspan.usage.extra', 'Other values of the usage in the record, an object.', { content: true }),
  extra: json('planspan.record.extra', 'Other values in the record, an object.', { content: true }),
  reviewLog: json('planspan.review.log', 'The reviews: a list of {attempt, action, feedback}.', {
    content: true,
  }),
  reviewCount: int('planspan.review.count', 'How many reviews there were.'),
  reviewFinalAction: text('planspan.review.final_action', 'The last decision.', { structural: true }),
} as const

/** `plan`: making or revising the plan. */
export const planningFields = {
  planner: again(everySpanFields.agentName, 'The agent that plans.'),
  steps: again(planFields.steps, 'The steps that this planning produced.'),
  revision: again(planFields.revision, '1 for the first plan, higher for each revision.'),
  reason: text('planspan.plan_update.reason', 'Why the plan was revised.', { content: true }),
  stepsJson: again(planFields.stepsJson, 'The other values of the steps, a list of objects.'),
  title: again(planFields.title, 'The title, if it differs from the plan span’s.'),
  goal: again(planFields.goal, 'The goal, if it differs from the plan span’s.'),
  language: again(planFields.language, 'The language, if it differs from the plan span’s.'),
  message: again(planFields.message, 'The message, if it differs from the plan span’s.'),
  result: again(planFields.result, 'The result of the plan, JSON text.'),
} as const
