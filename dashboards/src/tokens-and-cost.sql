-- name: chosen_calls
{{chosen_services}}
AND $__conditionalAll(PricedModel IN (${model:sqlstring}), $model)
AND $__conditionalAll(UsageRole IN (${role:sqlstring}), $role)

-- name: service
SELECT DISTINCT ServiceName FROM model_calls WHERE $__timeFilter(Timestamp) ORDER BY ServiceName

-- name: model
SELECT DISTINCT PricedModel FROM model_calls
WHERE $__timeFilter(Timestamp) AND PricedModel != ''
  {{chosen_services}}
ORDER BY PricedModel

-- name: role
SELECT DISTINCT UsageRole FROM model_calls
WHERE $__timeFilter(Timestamp)
  {{chosen_services}}
ORDER BY UsageRole

-- name: totals
SELECT
  sum(TotalTokens) AS Tokens,
  sum(InputTokens) AS Input,
  sum(OutputTokens) AS Output,
  sum(CacheReadTokens) / nullIf(sum(InputTokens), 0) AS Cached,
  sum(CostUsd) AS Cost,
  countIf(isNull(CostUsd) AND TotalTokens > 0) / nullIf(count(), 0) AS Unpriced
FROM model_calls
WHERE $__timeFilter(Timestamp)
  {{chosen_calls}}

-- name: by_role
SELECT $__timeInterval(Timestamp) AS Time, UsageRole AS Role, sum(TotalTokens) AS Value
FROM model_calls
WHERE $__timeFilter(Timestamp)
  {{chosen_calls}}
GROUP BY Time, Role
ORDER BY Time

-- name: cost_by_model
SELECT $__timeInterval(Timestamp) AS Time, if(PricedModel = '', '(no model)', PricedModel) AS Model, sum(CostUsd) AS Value
FROM model_calls
WHERE $__timeFilter(Timestamp) AND isNotNull(CostUsd)
  {{chosen_calls}}
GROUP BY Time, Model
ORDER BY Time

-- name: cached
SELECT $__timeInterval(Timestamp) AS Time, sum(CacheReadTokens) / sum(InputTokens) AS cached
FROM model_calls
WHERE $__timeFilter(Timestamp) AND InputTokens > 0
  {{chosen_calls}}
GROUP BY Time
ORDER BY Time

-- name: workflows
SELECT
  {{kind}} AS Name, ServiceName, count() AS Plans, sum(TotalTokens) AS Tokens,
  sum(CacheReadTokens) / nullIf(sum(InputTokens), 0) AS Cached, sum(CostUsd) AS Cost, Cost / nullIf(countIf(isNotNull(CostUsd)), 0) AS PerPlan,
  Cost / nullIf(countIf(State = 'completed' AND isNotNull(CostUsd)), 0) AS PerSuccess
FROM plan_usage
WHERE $__timeFilter(Timestamp) AND IsRoot
  {{chosen_services}}
GROUP BY Name, ServiceName
ORDER BY Cost DESC, Tokens DESC
LIMIT 50

-- name: by_agent
SELECT if(AgentName = '', '(no agent)', AgentName) AS Agent, sum(TotalTokens) AS Tokens
FROM model_calls
WHERE $__timeFilter(Timestamp)
  {{chosen_calls}}
GROUP BY Agent
ORDER BY Tokens DESC
LIMIT 10

-- name: models
SELECT
  if(PricedModel = '', '(no model)', PricedModel) AS Model,
  count() AS Calls,
  sum(InputTokens) AS Input,
  sum(CacheReadTokens) / nullIf(sum(InputTokens), 0) AS Cached,
  sum(OutputTokens) AS Output,
  quantile(0.5)(DurationMs) AS Median,
  quantile(0.95)(DurationMs) AS P95,
  sum(CostUsd) AS Cost
FROM model_calls
WHERE $__timeFilter(Timestamp)
  {{chosen_calls}}
GROUP BY Model
ORDER BY Cost DESC, Calls DESC
LIMIT 50

-- name: budgets
SELECT
  toDateTime(Timestamp) AS Started, State, {{kind}} AS Name, concat(if(IsRoot, '', '↳ '), {{title}}) AS Plan, ServiceName,
  TotalTokens, BudgetTokens, TotalTokens / nullIf(BudgetTokens, 0) AS TokenShare,
  CostUsd, BudgetCostUsd, CostUsd / nullIf(BudgetCostUsd, 0) AS CostShare,
  PlanId
FROM plan_usage
WHERE $__timeFilter(Timestamp) AND (BudgetTokens > 0 OR BudgetCostUsd > 0)
  {{chosen_services}}
ORDER BY greatest(ifNull(TokenShare, 0), ifNull(CostShare, 0)) DESC
LIMIT 50

-- name: over_budget_plans
SELECT countIf({{over_budget}}) AS Plans
FROM plan_usage
WHERE $__timeFilter(Timestamp) AND IsRoot
  {{chosen_services}}

-- name: most_expensive_plans
SELECT
  {{title}} AS Plan, {{kind}} AS Name, CostUsd, PlanId
FROM plan_usage
WHERE $__timeFilter(Timestamp) AND IsRoot AND CostUsd > 0
  {{chosen_services}}
ORDER BY CostUsd DESC
LIMIT 10
