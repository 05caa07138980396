-- name: unsafe_action_taken
SELECT PlanId, ToolName AS Tool, GuardrailName AS Guardrail, max(Score) AS HighestScore
FROM risks
WHERE Timestamp > now() - INTERVAL 15 MINUTE AND ifNull(ActionTaken, false) AND isNotNull(Score)
GROUP BY PlanId, Tool, Guardrail

-- name: long_wait
SELECT PlanId, Reason, max(dateDiff('minute', Timestamp, now64(9))) AS Minutes
FROM waits
WHERE Timestamp > now() - INTERVAL 30 DAY AND IsOpen
GROUP BY PlanId, Reason

-- name: plan_broken
SELECT PlanId, Workflow, ServiceName AS Service, State, count() AS Plans
FROM plans
WHERE Timestamp > now() - INTERVAL 1 DAY AND State IN ('failed', 'interrupted')
  AND addMilliseconds(Timestamp, toInt64(ifNull(DurationMs, dateDiff('millisecond', Timestamp, LastSeen)))) > now() - INTERVAL 15 MINUTE
GROUP BY PlanId, Workflow, Service, State

-- name: budget_exceeded
SELECT
  PlanId, Workflow, ServiceName AS Service,
  max(100 * greatest(ifNull(TotalTokens / nullIf(BudgetTokens, 0), 0), ifNull(CostUsd / nullIf(BudgetCostUsd, 0), 0))) AS Percent
FROM plan_usage
WHERE Timestamp > now() - INTERVAL 1 DAY AND (BudgetTokens > 0 OR BudgetCostUsd > 0)
GROUP BY PlanId, Workflow, Service
