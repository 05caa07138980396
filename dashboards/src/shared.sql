-- Parts of queries that several dashboards and the alerts share.

-- name: chosen_services
AND $__conditionalAll(ServiceName IN (${service:sqlstring}), $service)

-- name: plan_services
SELECT DISTINCT ServiceName FROM plans WHERE $__timeFilter(Timestamp) ORDER BY ServiceName

-- name: kind
multiIf(Workflow != '', Workflow, Dialect != '', Dialect, Convention != '', Convention, '(no name)')

-- name: title
multiIf(Title != '', Title, Request != '', substringUTF8(Request, 1, 200), PlanId)

-- name: ended
State IN ('completed', 'failed', 'cancelled', 'interrupted')

-- name: broken
State IN ('failed', 'interrupted')

-- name: over_budget
(BudgetTokens > 0 AND TotalTokens > BudgetTokens OR BudgetCostUsd > 0 AND CostUsd > BudgetCostUsd)

-- name: headline
if(Headline = '', 'no details', substringUTF8(splitByChar('\n', Headline)[1], 1, 200))
