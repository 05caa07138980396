import { roleSpans } from './role-spans.js'
import type { ViewColumn } from './column.js'

/** The columns that are no field of one span: what the views' SQL works out. */

const column = (name: string, type: string, comment: string): ViewColumn => ({ name, type, comment })

const head = new Map(roleSpans('plan', { engine: 'replacing' }).columns.map((each) => [each.name, each]))
const fromHead = (...names: string[]): ViewColumn[] => names.flatMap((name) => head.get(name) ?? [])

export const TRACE = fromHead('TraceId')

export const TRACE_WINDOW = [
  ...TRACE,
  column('Start', 'DateTime', 'When its first span begins.'),
  column('End', 'DateTime', 'When its last span begins.'),
]

export const OPEN_PLAN = [
  ...fromHead('TraceId', 'PlanId', 'State'),
  column('LeftOpen', 'String', 'What has become of what it left open: interrupted or waiting; empty while it goes on.'),
  column('LastSeen', 'DateTime64(9)', 'The latest time that its spans and those of its sub-plans tell of.'),
]

export const MODEL_CALL = [
  column(
    'PricedModel',
    'String',
    'The model by which model_prices is asked: the one asked for, else the one that answered.',
  ),
  column('UsageRole', 'String', 'Whose call it was: agent, world_model, harmonyguard or reactive.'),
  column('TotalTokens', 'Nullable(Int64)', 'Tokens read and written; what the record tells where it tells no parts.'),
  column('CostUsd', 'Nullable(Float64)', 'What the tokens cost, US dollars; NULL for a model that model_prices lacks.'),
]

export const RISK = [column('ToolName', 'String', 'The tool of the call that was judged, where the call tells.')]

export const RESEARCH_CALL = [column('Query', 'String', 'What was searched for [gen_ai.tool.call.arguments]')]

export const WAIT = [column('IsOpen', 'Bool', 'Whether the answer is still awaited.')]

export const REVIEW = [
  ...fromHead('Timestamp', 'TraceId', 'ServiceName', 'PlanId', 'RootPlanId'),
  column('Position', 'UInt32', 'Its place among the reviews of the plan, from 1.'),
  column('Attempt', 'Nullable(Int64)', 'Which attempt at the plan was reviewed, from 1.'),
  column('Decision', 'String', 'ACCEPT_PLAN, REQUEST_CHANGES or ABORT.'),
  column('Feedback', 'String', 'What the reviewer said.'),
  column('Reviewer', 'String', 'Who decided or, where that is not told, who reviews the plan.'),
  column('ReviewedAt', 'Nullable(DateTime64(9))', 'When; NULL where an imported record does not tell.'),
]

export const STEP = [
  column('Timestamp', 'DateTime64(9)', 'When it was first told of.'),
  ...fromHead('TraceId', 'ServiceName', 'PlanId', 'RootPlanId'),
  column('StepIndex', 'Int64', 'Its place in the plan, from 0.'),
  column('StepId', 'String', 'The id of the step, where it has one.'),
  column('Title', 'String', 'What is to be done.'),
  column(
    'State',
    'String',
    'The state of the agent that worked on it last, else what the plan’s own list says; empty for a step not begun.',
  ),
  column('AgentName', 'String', 'The agent that worked on it last.'),
  column('Attempts', 'UInt64', 'How many agents worked on it.'),
  column('StartedAt', 'Nullable(DateTime64(9))', 'When the first agent began; NULL for a step not begun.'),
  column('DurationMs', 'Nullable(Float64)', 'How long its agents took, milliseconds.'),
  column('ErrorMessage', 'String', 'What the last agent’s error said.'),
]

export const PLAN = [
  column('IsRoot', 'Bool', 'Whether it is no sub-plan.'),
  column('Dialect', 'String', 'The format of the imported record; empty for a live plan.'),
  column('Source', 'String', 'Where the imported record came from, as --source said.'),
  column(
    'Convention',
    'String',
    'The convention of another instrumentation’s trace; empty for a plan of planspan’s own.',
  ),
  column('LastSeen', 'DateTime64(9)', 'When it ended; of an open one the latest time that its spans tell of.'),
  column('StepCount', 'UInt64', 'How many steps it has.'),
  column('StepsCompleted', 'UInt64', 'How many of them are completed.'),
  column(
    'ProgressPercent',
    'Nullable(Float64)',
    'How much of it is done, percent: as the record tells, else by its steps.',
  ),
  column('CurrentStep', 'String', 'The title of the step at work, or of the last that was.'),
]

export const PLAN_USAGE = [
  ...fromHead('Timestamp', 'TraceId', 'ServiceName', 'PlanId', 'RootPlanId', 'Workflow', 'Title', 'Request'),
  ...PLAN.filter(({ name }) => ['IsRoot', 'Dialect', 'Convention'].includes(name)),
  ...fromHead('State'),
  column('ModelCalls', 'UInt64', 'Model calls; of a root plan with those of its sub-plans, of a sub-plan its own.'),
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
  column('CostUsd', 'Nullable(Float64)', 'What the calls with a known price cost, US dollars; NULL without any.'),
  column('UnpricedCalls', 'UInt64', 'Calls whose price model_prices lacks, or that tell no tokens.'),
  ...fromHead('BudgetTokens', 'BudgetCostUsd'),
]
