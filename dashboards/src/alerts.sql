-- Plans are selected by the time of their last span. Sub-plans count as part of their root plan. Labels identify an alert, so the
-- id of a plan is not a label: otherwise each plan would be a separate alert.

-- name: unsafe_action_taken
SELECT ToolName AS Tool, GuardrailName AS Guardrail, ServiceName AS Service, count() AS Actions
FROM risks
WHERE Timestamp > now() - INTERVAL 15 MINUTE AND ActionTaken AND (IsUnsafe OR (isNull(IsSafe) AND Score > 0.7))
GROUP BY Tool, Guardrail, Service

-- name: plans_broken
SELECT {{kind}} AS Workflow, ServiceName AS Service, State, count() AS Plans
FROM plans
WHERE IsRoot AND {{broken}} AND LastSeen > now() - INTERVAL 15 MINUTE
GROUP BY Workflow, Service, State

-- name: budget_exceeded
SELECT {{kind}} AS Workflow, ServiceName AS Service, count() AS Plans
FROM plan_usage
WHERE IsRoot AND {{over_budget}} AND LastSeen > now() - INTERVAL 1 HOUR
GROUP BY Workflow, Service

-- name: nothing_arrives
SELECT dateDiff('minute', max(LastSeen), now()) AS Minutes
FROM plan_rows
WHERE LastSeen <= now()
HAVING count() > 0

-- name: long_waits
SELECT Reason, ServiceName AS Service, count() AS Waits
FROM waits
WHERE IsOpen AND Timestamp < now() - INTERVAL 1 HOUR
  AND (TraceId, RootPlanId) IN (SELECT TraceId, PlanId FROM plans WHERE State = 'waiting' AND Dialect = '')
GROUP BY Reason, Service

-- name: failure_rate
SELECT {{kind}} AS Workflow, ServiceName AS Service, 100 * countIf({{broken}}) / count() AS Percent
FROM plans
WHERE IsRoot AND {{ended}} AND LastSeen > now() - INTERVAL 1 HOUR
GROUP BY Workflow, Service
HAVING count() >= 10

-- name: tool_error_rate
SELECT ToolName AS Tool, ServiceName AS Service, 100 * countIf(State = 'failed') / count() AS Percent
FROM tool_calls
WHERE Timestamp > now() - INTERVAL 1 HOUR AND {{ended}}
GROUP BY Tool, Service
HAVING count() >= 20
