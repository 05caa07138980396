-- Numbers of plans count root plans. A sub-plan is part of a root plan.

-- name: chosen_plans
{{chosen_services}}
AND $__conditionalAll({{kind}} IN (${workflow:sqlstring}), $workflow)

-- name: begun
$__timeFilter(Timestamp) AND IsRoot
{{chosen_plans}}

-- name: workflow
SELECT DISTINCT {{kind}} AS Name FROM plans
WHERE $__timeFilter(Timestamp)
  {{chosen_services}}
ORDER BY Name

-- name: totals
SELECT
  count() AS Started,
  countIf(State IN ('planning', 'running', 'updating')) AS UnderWay,
  countIf(State = 'waiting') AS Waiting,
  countIf({{broken}}) AS Broken,
  countIf(State = 'completed') / nullIf(countIf({{ended}}), 0) AS SuccessRate,
  quantileIf(0.5)(DurationMs, State = 'completed') AS MedianDuration
FROM plans
WHERE {{begun}}

-- name: by_state
SELECT $__timeInterval(Timestamp) AS Time, State, count() AS Value
FROM plans
WHERE {{begun}} AND State != ''
GROUP BY Time, State
ORDER BY Time

-- name: workflows
SELECT
  {{kind}} AS Name, count() AS Plans, countIf({{broken}}) / nullIf(countIf({{ended}}), 0) AS FailureRate,
  quantile(0.5)(DurationMs) AS Median
FROM plans
WHERE {{begun}}
GROUP BY Name
ORDER BY Plans DESC
LIMIT 50

-- name: durations
SELECT $__timeInterval(Timestamp) AS Time, quantile(0.5)(DurationMs / 1000) AS median, quantile(0.95)(DurationMs / 1000) AS p95
FROM plans
WHERE {{begun}} AND isNotNull(DurationMs) AND {{ended}}
GROUP BY Time
ORDER BY Time

-- name: versions
-- The version of a plan is that of the service of its first span.
SELECT
  {{kind}} AS Name, ServiceName, if(root.Version = '', '(no version)', root.Version) AS Version, min(plan.Timestamp) AS FirstPlan,
  count() AS Plans, countIf(State = 'completed') / nullIf(countIf({{ended}}), 0) AS SuccessRate,
  quantileIf(0.5)(DurationMs, State = 'completed') AS Median
FROM (
  SELECT Timestamp, TraceId, ServiceName, State, Workflow, Dialect, Convention, DurationMs
  FROM plans
  WHERE {{begun}}
) AS plan
LEFT JOIN (
  SELECT TraceId, argMin(ResourceAttributes['service.version'], Timestamp) AS Version
  FROM spans
  WHERE $__timeFilter(Timestamp) AND ParentSpanId = ''
  GROUP BY TraceId
) AS root ON root.TraceId = plan.TraceId
GROUP BY Name, ServiceName, Version
ORDER BY Name, ServiceName, FirstPlan DESC
LIMIT 100

-- name: broken_plans
-- The last failure in a plan is often more specific than the error of the plan itself.
SELECT
  plan.*,
  {{kind}} AS Name,
  multiIf(
    State = 'interrupted', 'interrupted',
    plan.ErrorType NOT IN ('', '_OTHER'), plan.ErrorType,
    failure.LastType NOT IN ('', '_OTHER'), failure.LastType,
    '(no type)'
  ) AS Error,
  if(plan.ErrorMessage = '', failure.LastMessage, plan.ErrorMessage) AS Reason,
  failure.Agent AS Agent,
  failure.Tool AS Tool
FROM (
  SELECT
    TraceId,
    argMax(AgentName, (AgentName != '', Timestamp)) AS Agent,
    argMax(ToolName, (ToolName != '', Timestamp)) AS Tool,
    argMax(ErrorType, (ErrorType != '', Timestamp)) AS LastType,
    argMax(ErrorMessage, (ErrorMessage != '', Timestamp)) AS LastMessage
  FROM (
    SELECT Timestamp, TraceId, State, AgentName, '' AS ToolName, ErrorType, ErrorMessage FROM agents
    UNION ALL
    SELECT Timestamp, TraceId, State, AgentName, ToolName, ErrorType, ErrorMessage FROM tool_calls
  )
  WHERE Timestamp >= $__fromTime AND {{broken}}
  GROUP BY TraceId
) AS failure
RIGHT JOIN (
  SELECT
    Timestamp, TraceId, ServiceName, PlanId, State, Workflow, Dialect, Convention, Title, Request, ErrorType, ErrorMessage, LastSeen
  FROM plans
  WHERE {{begun}} AND {{broken}}
  ORDER BY Timestamp DESC
  LIMIT 1000
) AS plan ON failure.TraceId = plan.TraceId

-- name: errors_over_time
SELECT $__timeInterval(Timestamp) AS Time, Error, count() AS Value
FROM (
  {{broken_plans}}
)
GROUP BY Time, Error
ORDER BY Time

-- name: causes
SELECT Name, Error, Agent, Tool, count() AS Plans, argMax(Reason, Timestamp) AS Reason, argMax(PlanId, Timestamp) AS PlanId
FROM (
  {{broken_plans}}
)
GROUP BY Name, Error, Agent, Tool
ORDER BY Plans DESC, Name, Error, Agent, Tool
LIMIT 50

-- name: broken_table
SELECT
  toDateTime(LastSeen) AS Ended, State, Name, {{title}} AS Title, Error, Reason, Agent, Tool, ServiceName, PlanId
FROM (
  {{broken_plans}}
)
ORDER BY LastSeen DESC
LIMIT 100

-- name: table
SELECT
  toDateTime(plan.Timestamp) AS Started, plan.State AS State, plan.Name AS Workflow,
  concat(if(plan.IsRoot, '', '↳ '), plan.Called) AS Title,
  plan.ProgressPercent AS ProgressPercent, plan.CurrentStep AS CurrentStep, plan.Headline AS Headline, plan.DurationMs AS DurationMs,
  usage.Tokens AS TotalTokens, usage.CostUsd AS CostUsd, plan.ServiceName AS ServiceName, plan.PlanId AS PlanId
FROM (
  SELECT
    Timestamp, TraceId, ServiceName, PlanId, IsRoot, State, {{kind}} AS Name, {{title}} AS Called, ProgressPercent, CurrentStep,
    Headline, DurationMs
  FROM plans
  WHERE $__timeFilter(Timestamp)
    {{chosen_plans}}
    AND $__conditionalAll(State IN (${state:sqlstring}), $state)
  ORDER BY Timestamp DESC
  LIMIT 200
) AS plan
LEFT JOIN (
  SELECT TraceId, PlanId, if(ModelCalls = 0, NULL, TotalTokens) AS Tokens, CostUsd
  FROM plan_usage
  WHERE $__timeFilter(Timestamp)
) AS usage ON usage.TraceId = plan.TraceId AND usage.PlanId = plan.PlanId
ORDER BY plan.Timestamp DESC
