import type { ViewColumn } from './column.js'
import { column, roleColumns, STATE } from './role-columns.js'

/** The columns that are not fields of one span. */

const planColumns = new Map(roleColumns('plan').map((each) => [each.name, each]))
const fromPlan = (...names: string[]): ViewColumn[] => names.flatMap((name) => planColumns.get(name) ?? [])

export const RISK = [
  column(
    'IsUnsafe',
    'Bool',
    'Whether the action was found unsafe: by the verdict, or without a verdict because it violates policies.',
    'span.Unsafe',
  ),
  column('ToolName', 'String', 'The tool of the judged call; empty if it is unknown.', 'span.JudgedTool'),
]

export const WAIT = [column('IsOpen', 'Bool', 'Whether the answer is still missing.', `toBool(${STATE} = 'waiting')`)]

export const REVIEW = [
  column('Timestamp', 'DateTime64(9)', 'When the plan began.'),
  ...fromPlan('TraceId', 'ServiceName', 'PlanId', 'RootPlanId'),
  column('Position', 'UInt32', 'The place among the reviews of the plan, from 1.'),
  column('Attempt', 'Nullable(Int64)', 'Which attempt at the plan was reviewed, from 1.'),
  column('Decision', 'String', 'ACCEPT_PLAN, REQUEST_CHANGES or ABORT.'),
  column('Feedback', 'String', 'What the reviewer said.'),
  column('Reviewer', 'String', 'Who decided, or the reviewer of the plan if the decision does not name one.'),
  column('ReviewedAt', 'Nullable(DateTime64(9))', 'When; NULL for an imported record without this time.'),
]

export const STEP = [
  column('Timestamp', 'DateTime64(9)', 'When the plan began.'),
  ...fromPlan('TraceId', 'ServiceName', 'PlanId', 'RootPlanId'),
  column('StepIndex', 'UInt32', 'The place in the plan, from 0.'),
  column('StepId', 'String', 'The id of the step; empty if it has none.'),
  column('Title', 'String', 'What is to be done.'),
  column(
    'State',
    'String',
    'The state of the last agent that worked on it, or the state in the plan’s own list; empty for a step not begun.',
    STATE,
  ),
  column('AgentName', 'String', 'The agent that worked on it last.'),
  column('Attempts', 'UInt32', 'How many agents worked on it.'),
  column('StartedAt', 'Nullable(DateTime64(9))', 'When the first agent began; NULL for a step not begun.'),
  column('DurationMs', 'Nullable(Float64)', 'How long its agents took, milliseconds.'),
  column('ErrorMessage', 'String', 'The error message of the last agent.'),
]

export const PLAN = [
  column('IsRoot', 'Bool', 'Whether it is no sub-plan.'),
  column('Dialect', 'LowCardinality(String)', 'The format of the imported record; empty for a live plan.'),
  column('Source', 'String', 'The source of the imported record, as given with --source.'),
  column(
    'Convention',
    'LowCardinality(String)',
    'The convention of another instrumentation; empty for a plan of planspan’s own.',
  ),
  column('LastSeen', 'DateTime64(9)', 'The latest end of a span in the plan and its sub-plans.'),
  column('StepCount', 'UInt32', 'How many steps it has.'),
  column('StepsCompleted', 'UInt32', 'How many of them are completed.'),
  column(
    'ProgressPercent',
    'Nullable(Float64)',
    'How much of it is done, percent: as the record says, or by its steps.',
  ),
  column('CurrentStep', 'String', 'The title of the current step, or of the last one.'),
]

export const PLAN_USAGE = [
  ...fromPlan('Timestamp', 'TraceId', 'ServiceName', 'PlanId', 'RootPlanId', 'Workflow', 'Title', 'Request'),
  ...PLAN.filter(({ name }) => ['IsRoot', 'Dialect', 'Convention'].includes(name)),
  ...fromPlan('State'),
  column('LastSeen', 'DateTime64(9)', 'The latest end of a span in the plan and its sub-plans.'),
  column('ModelCalls', 'UInt32', 'Model calls; of a root plan with those of its sub-plans, of a sub-plan its own.'),
  column('InputTokens', 'Int64', 'Tokens read, of the same calls.'),
  column('OutputTokens', 'Int64', 'Tokens written.'),
  column('TotalTokens', 'Int64', 'Tokens read and written.'),
  column('CacheReadTokens', 'Int64', 'Input tokens read from a cache.'),
  column('CacheWriteTokens', 'Int64', 'Input tokens written to a cache.'),
  column('ReasoningTokens', 'Int64', 'Output tokens spent on reasoning.'),
  column('AgentTokens', 'Int64', 'Tokens of the agents’ own calls.'),
  column('WorldModelTokens', 'Int64', 'Tokens of the world model.'),
  column('HarmonyguardTokens', 'Int64', 'Tokens of HarmonyGuard.'),
  column('ReactiveTokens', 'Int64', 'Tokens of the Reactive guardrail.'),
  column('CostUsd', 'Nullable(Float64)', 'The cost of the calls with a known price, US dollars; NULL without any.'),
  column('UnpricedCalls', 'UInt32', 'Calls without a known price or without tokens.'),
  ...fromPlan('BudgetTokens', 'BudgetCostUsd'),
]
