import { PLAN_ROW, REVIEW_ROW, type RowColumns, STEP_ROW } from '../row-tables/index.js'
import type { ViewColumn } from './column.js'
import { column, roleColumns, STATE } from './role-columns.js'

/** The columns that are not fields of one span. */

const planColumns = new Map(roleColumns('plan').map((each) => [each.name, each]))
const ofPlan = (...names: string[]): ViewColumn[] => names.flatMap((name) => planColumns.get(name) ?? [])

/** The columns of a row table that a view shows as they are. */
const ofRow = <Row extends RowColumns>(row: Row, ...names: (keyof Row & string)[]): ViewColumn[] =>
  names.flatMap((name) => (row[name] ? column(name, row[name].type, row[name].comment) : []))

export const RISK = [
  column(
    'IsUnsafe',
    'Bool',
    'Whether the action was found unsafe: by the verdict, or without a verdict because it violates policies.',
    'span.Unsafe',
  ),
  column('ToolName', 'String', 'The tool of the judged call; empty if it is unknown.', 'span.JudgedTool'),
]

export const WAIT = [column('IsOpen', 'Bool', 'Whether the wait has not ended.', `toBool(${STATE} = 'waiting')`)]

export const REVIEW = [
  ...ofRow(REVIEW_ROW, 'Timestamp'),
  ...ofPlan('TraceId', 'ServiceName', 'PlanId', 'RootPlanId'),
  ...ofRow(REVIEW_ROW, 'Position', 'Attempt', 'Decision', 'Feedback', 'Reviewer', 'ReviewedAt'),
]

export const STEP = [
  ...ofRow(STEP_ROW, 'Timestamp'),
  ...ofPlan('TraceId', 'ServiceName', 'PlanId', 'RootPlanId'),
  ...ofRow(STEP_ROW, 'StepIndex', 'StepId', 'Title'),
  column(
    'State',
    'String',
    'The state of the last agent that worked on it, or the state in the plan’s own list; empty if it has not begun.',
    STATE,
  ),
  ...ofRow(STEP_ROW, 'AgentName', 'Attempts', 'StartedAt', 'DurationMs', 'ErrorMessage'),
]

export const PLAN = [
  ...ofRow(PLAN_ROW, 'IsRoot', 'Dialect', 'Source', 'Convention', 'LastSeen'),
  ...ofRow(PLAN_ROW, 'StepCount', 'StepsCompleted', 'ProgressPercent', 'CurrentStep'),
]

export const PLAN_USAGE = [
  ...ofPlan('Timestamp', 'TraceId', 'ServiceName', 'PlanId', 'RootPlanId', 'Workflow', 'Title', 'Request'),
  ...ofRow(PLAN_ROW, 'IsRoot', 'Dialect', 'Convention'),
  ...ofPlan('State'),
  ...ofRow(PLAN_ROW, 'LastSeen', 'ModelCalls', 'InputTokens', 'OutputTokens', 'TotalTokens'),
  ...ofRow(PLAN_ROW, 'CacheReadTokens', 'CacheWriteTokens', 'ReasoningTokens'),
  ...ofRow(PLAN_ROW, 'AgentTokens', 'WorldModelTokens', 'HarmonyguardTokens', 'ReactiveTokens'),
  ...ofRow(PLAN_ROW, 'CostUsd', 'UnpricedCalls'),
  ...ofPlan('BudgetTokens', 'BudgetCostUsd'),
]
