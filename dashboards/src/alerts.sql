-- Plans count by when they were last heard of. That a filter on the view would not hand down to the data; one on the trace does,
-- and these tables have a row a trace. Sub-plans count with their root. A label is what tells an alert from another, so none is a
-- plan's id: with it each plan would be an alert of its own.

-- name: heard_lately
TraceId GLOBAL IN (
  SELECT TraceId FROM plan_states WHERE End > now() - INTERVAL 1 HOUR
  UNION ALL
  SELECT TraceId FROM foreign_plans WHERE End > now() - INTERVAL 1 HOUR
)

-- name: unsafe_action_taken
SELECT ToolName AS Tool, GuardrailName AS Guardrail, ServiceName AS Service, count() AS Actions
FROM risks
WHERE Timestamp > now() - INTERVAL 15 MINUTE AND ActionTaken AND (NOT ifNull(IsSafe, empty(Policies)) OR Score > 0.7)
GROUP BY Tool, Guardrail, Service

-- name: plans_broken
SELECT {{kind}} AS Workflow, ServiceName AS Service, State, count() AS Plans
FROM plans
WHERE IsRoot AND {{broken}} AND LastSeen > now() - INTERVAL 15 MINUTE
  AND {{heard_lately}}
GROUP BY Workflow, Service, State

-- name: budget_exceeded
SELECT {{kind}} AS Workflow, ServiceName AS Service, count() AS Plans
FROM plan_usage
WHERE IsRoot AND {{over_budget}}
  AND {{heard_lately}}
GROUP BY Workflow, Service

-- name: nothing_arrives
SELECT dateDiff('minute', max(End), now()) AS Minutes
FROM (SELECT End FROM plan_states UNION ALL SELECT End FROM foreign_plans)
WHERE End <= now()
HAVING count() > 0

-- name: long_waits
SELECT Reason, ServiceName AS Service, count() AS Waits
FROM waits
WHERE IsOpen AND Timestamp < now() - INTERVAL 1 HOUR
GROUP BY Reason, Service

-- name: failure_rate
SELECT {{kind}} AS Workflow, ServiceName AS Service, 100 * countIf({{broken}}) / count() AS Percent
FROM plans
WHERE IsRoot AND {{ended}} AND LastSeen > now() - INTERVAL 1 HOUR
  AND {{heard_lately}}
GROUP BY Workflow, Service
HAVING count() >= 10

-- name: tool_error_rate
SELECT ToolName AS Tool, ServiceName AS Service, 100 * countIf(State = 'failed') / count() AS Percent
FROM tool_calls
WHERE Timestamp > now() - INTERVAL 1 HOUR AND {{ended}}
GROUP BY Tool, Service
HAVING count() >= 20
