-- Plans are selected by the time of their last span. Sub-plans count as part of their root plan. Labels identify an alert, so an
-- alert names one of its plans only: if each plan were a label, each would be a separate alert. The smallest hash chooses a plan
-- that rarely changes while others come and go.

-- name: example
argMin(PlanId, cityHash64(PlanId)) AS Plan, argMin({{headline}}, cityHash64(PlanId)) AS Details

-- name: unsafe_action_taken
SELECT
  if(ToolName = '', 'an action', ToolName) AS Tool, GuardrailName AS Guardrail, ServiceName AS Service,
  argMin(RootPlanId, cityHash64(RootPlanId)) AS Plan, count() AS Actions
FROM risks
WHERE TakenAt > now() - INTERVAL 15 MINUTE AND (IsUnsafe OR (isNull(IsSafe) AND Score > 0.7))
GROUP BY Tool, Guardrail, Service

-- name: plans_broken
SELECT {{kind}} AS Workflow, ServiceName AS Service, State, {{example}}, count() AS Plans
FROM plans
WHERE IsRoot AND {{broken}} AND LastSeen > now() - INTERVAL 15 MINUTE
GROUP BY Workflow, Service, State

-- name: budget_exceeded
SELECT {{kind}} AS Workflow, ServiceName AS Service, argMin(PlanId, cityHash64(PlanId)) AS Plan, count() AS Plans
FROM plan_usage
WHERE IsRoot AND {{over_budget}} AND LastSeen > now() - INTERVAL 1 HOUR
GROUP BY Workflow, Service

-- name: nothing_arrives
SELECT dateDiff('minute', max(LastSeen), now()) AS Minutes
FROM plan_rows
WHERE LastSeen <= now()
HAVING count() > 0

-- name: long_waits
SELECT
  wait.Reason AS Reason, wait.ServiceName AS Service,
  argMin(plan.PlanId, wait.Timestamp) AS Plan, argMin(plan.Details, wait.Timestamp) AS Details, uniqExact(plan.PlanId) AS Plans
FROM waits AS wait
INNER JOIN (
  SELECT TraceId, PlanId, {{headline}} AS Details
  FROM plans
  WHERE State = 'waiting' AND Dialect = ''
) AS plan ON plan.TraceId = wait.TraceId AND plan.PlanId = wait.RootPlanId
WHERE wait.IsOpen AND wait.Timestamp < now() - INTERVAL 1 HOUR
GROUP BY Reason, Service

-- name: objective_missed
-- Fires when a workflow uses up the failures that its objective of 95% allows for 30 days within about two or five days.
SELECT
  Workflow, Service, argMinIf(PlanId, cityHash64(PlanId), IsBroken) AS Plan,
  argMinIf(Details, cityHash64(PlanId), IsBroken) AS Details,
  round(100 * avgIf(IsBroken, LastSeen > now() - INTERVAL 1 HOUR)) AS Percent
FROM (
  SELECT
    {{kind}} AS Workflow, ServiceName AS Service, PlanId, LastSeen, {{broken}} AS IsBroken, {{headline}} AS Details
  FROM plans
  WHERE IsRoot AND {{ended}} AND LastSeen > now() - INTERVAL 6 HOUR
)
GROUP BY Workflow, Service
HAVING
  countIf(LastSeen > now() - INTERVAL 1 HOUR) >= 10
    AND avgIf(IsBroken, LastSeen > now() - INTERVAL 1 HOUR) > 14.4 * 0.05
    AND avgIf(IsBroken, LastSeen > now() - INTERVAL 15 MINUTE) > 14.4 * 0.05
  OR count() >= 10
    AND avg(IsBroken) > 6 * 0.05
    AND avgIf(IsBroken, LastSeen > now() - INTERVAL 30 MINUTE) > 6 * 0.05

-- name: spend_rate
SELECT ServiceName AS Service, round(sumIf(CostUsd, Timestamp > now() - INTERVAL 1 HOUR), 2) AS Dollars
FROM model_calls
WHERE Timestamp > now() - INTERVAL 25 HOUR AND Timestamp <= now()
GROUP BY Service
HAVING Dollars > 5 AND Dollars > 3 * ifNull(sumIf(CostUsd, Timestamp <= now() - INTERVAL 1 HOUR), 0) / 24

-- name: tool_error_rate
SELECT ToolName AS Tool, ServiceName AS Service, round(100 * countIf(State = 'failed') / count()) AS Percent
FROM tool_calls
WHERE Timestamp > now() - INTERVAL 1 HOUR AND {{ended}}
GROUP BY Tool, Service
HAVING count() >= 20
