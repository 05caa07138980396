-- name: chosen_plans
{{chosen_services}}
AND $__conditionalAll(Workflow IN (${workflow:sqlstring}), $workflow)

-- name: workflow
SELECT DISTINCT substring(SpanName, position(SpanName, ' ') + 1) AS Workflow
FROM spans
WHERE $__timeFilter(Timestamp) AND startsWith(SpanName, 'invoke_workflow ')
  {{chosen_services}}
ORDER BY Workflow

-- name: totals
SELECT
  count() AS Started,
  countIf(State IN ('planning', 'running', 'updating')) AS UnderWay,
  countIf(State = 'waiting') AS Waiting,
  countIf(State IN ('failed', 'interrupted')) AS Broken,
  countIf(State = 'completed') / nullIf(countIf(State IN ('completed', 'failed', 'cancelled', 'interrupted')), 0) AS SuccessRate,
  quantileIf(0.5)(DurationMs, State = 'completed') AS MedianDuration
FROM plans
WHERE $__timeFilter(Timestamp)
  {{chosen_plans}}

-- name: by_state
SELECT $__timeInterval(Timestamp) AS Time, State, count() AS Value
FROM plans
WHERE $__timeFilter(Timestamp) AND State != ''
  {{chosen_plans}}
GROUP BY Time, State
ORDER BY Time

-- name: by_workflow
SELECT multiIf(Workflow != '', Workflow, Dialect != '', Dialect, '(no name)') AS Name, count() AS Plans
FROM plans
WHERE $__timeFilter(Timestamp)
  {{chosen_plans}}
GROUP BY Name
ORDER BY Plans DESC
LIMIT 10

-- name: durations
SELECT $__timeInterval(Timestamp) AS Time, quantile(0.5)(DurationMs) AS median, quantile(0.95)(DurationMs) AS p95
FROM plans
WHERE $__timeFilter(Timestamp) AND isNotNull(DurationMs) AND State IN ('completed', 'failed', 'cancelled', 'interrupted')
  {{chosen_plans}}
GROUP BY Time
ORDER BY Time

-- name: table
SELECT
  toDateTime(plan.Timestamp) AS Started, plan.State AS State, multiIf(plan.Workflow != '', plan.Workflow, plan.Dialect) AS Workflow,
  multiIf(plan.Title != '', plan.Title, plan.Request != '', substringUTF8(plan.Request, 1, 200), plan.PlanId) AS Title,
  plan.ProgressPercent AS ProgressPercent, plan.CurrentStep AS CurrentStep, plan.DurationMs AS DurationMs,
  usage.Tokens AS TotalTokens, usage.Cost AS CostUsd, plan.ServiceName AS ServiceName, plan.PlanId AS PlanId
-- As plan_usage counts, without its look at every plan: a root plan with its sub-plans, a sub-plan its own calls. On the right
-- stand the few plans, since ClickHouse reads of the left what the right asks for.
FROM (
  SELECT
    TraceId, arrayJoin(arrayDistinct([PlanId, if(RootPlanId = '', PlanId, RootPlanId)])) AS Counted,
    sum(TotalTokens) AS Tokens, sum(CostUsd) AS Cost
  FROM model_calls
  WHERE Timestamp >= $__fromTime
  GROUP BY TraceId, Counted
) AS usage
RIGHT JOIN (
  SELECT
    Timestamp, TraceId, ServiceName, PlanId, RootPlanId, IsRoot, State, Workflow, Dialect, Title, Request, ProgressPercent,
    CurrentStep, DurationMs
  FROM plans
  WHERE $__timeFilter(Timestamp)
    {{chosen_plans}}
    AND $__conditionalAll(State IN (${state:sqlstring}), $state)
  ORDER BY Timestamp DESC
  LIMIT 200
) AS plan ON usage.TraceId = plan.TraceId AND usage.Counted = if(plan.IsRoot AND plan.RootPlanId != '', plan.RootPlanId, plan.PlanId)
ORDER BY plan.Timestamp DESC
