import { PRICED_TOKENS, TOKENS_PER_PRICE } from '../../semconv/index.js'
import { PLAN_ROW, REVIEW_ROW, SPAN_ROW, STEP_ROW, type RowColumns } from '../row-tables/index.js'
import type { ViewColumn } from './column.js'
import { column, roleColumns, STATE } from './role-columns.js'

/**
 * The model whose price applies: the requested model, or the model that responded if only that has a price. The price
 * of each is joined under the names `requested` and `responding`.
 */
const PRICED_MODEL =
  "multiIf(requested.model != '', span.Model, responding.model != '' OR span.Model = '', span.ResponseModel, span.Model)"

const priceOf = (column: string): string => `if(requested.model != '', requested.${column}, responding.${column})`

const TOTAL =
  'if(isNull(span.InputTokens) AND isNull(span.OutputTokens), span.StatedTotalTokens, ' +
  'ifNull(span.InputTokens, 0) + ifNull(span.OutputTokens, 0))'

/** `inputTokens` → the column of `span`. */
const tokensOf = (kind: string): string => `ifNull(span.${kind.charAt(0).toUpperCase()}${kind.slice(1)}, 0)`

/** The cost of a call, from its tokens and the columns of its price, as `costOf` of the mapping computes it. */
const COST = PRICED_TOKENS.map(({ tokens, except, price, otherwise }) => {
  const count = [tokens, ...except].map(tokensOf).join(' - ')
  const usd = otherwise === undefined ? priceOf(price) : `ifNull(${priceOf(price)}, ${priceOf(otherwise)})`
  return `${except.length === 0 ? count : `greatest(${count}, 0)`} * ${usd}`
}).join(' + ')

/** The columns of `model_calls` beside the fields of the spans. */
export const MODEL_CALL: readonly ViewColumn[] = [
  column(
    'PricedModel',
    'String',
    'The model whose price applies: the requested model, or the response model if only that has a price.',
    PRICED_MODEL,
  ),
  column(
    'UsageRole',
    'String',
    'The component that made the call: agent, world_model, policy_guardrail or reactive_guardrail.',
  ),
  column(
    'TotalTokens',
    'Nullable(Int64)',
    'Input and output tokens, or the total of a record that contains only a total.',
    TOTAL,
  ),
  column(
    'CostUsd',
    'Nullable(Float64)',
    'The cost that the call reports, otherwise that of its tokens, US dollars; NULL without tokens, and for a model ' +
      'without a price in model_prices.',
    "multiIf(isNotNull(StatedCostUsd), StatedCostUsd, (requested.model = '' AND responding.model = '') OR isNull(TotalTokens), " +
      `NULL, (${COST}) / ${String(TOKENS_PER_PRICE)})`,
  ),
]

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
  ...ofRow(SPAN_ROW, 'TakenAt'),
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
  ...ofRow(PLAN_ROW, 'StepCount', 'StepsCompleted', 'ProgressPercent', 'CurrentStep', 'Headline'),
]

export const PLAN_USAGE = [
  ...ofPlan('Timestamp', 'TraceId', 'ServiceName', 'PlanId', 'RootPlanId', 'Workflow', 'Title', 'Request'),
  ...ofRow(PLAN_ROW, 'IsRoot', 'Dialect', 'Convention'),
  ...ofPlan('State'),
  ...ofRow(PLAN_ROW, 'LastSeen', 'ModelCalls', 'InputTokens', 'OutputTokens', 'TotalTokens'),
  ...ofRow(PLAN_ROW, 'CacheReadTokens', 'CacheWriteTokens', 'ReasoningTokens'),
  ...ofRow(PLAN_ROW, 'AgentTokens', 'WorldModelTokens', 'PolicyGuardrailTokens', 'ReactiveGuardrailTokens'),
  ...ofRow(PLAN_ROW, 'CostUsd', 'UnpricedCalls'),
  ...ofPlan('BudgetTokens', 'BudgetCostUsd'),
]
