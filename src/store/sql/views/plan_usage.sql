-- What a root plan spent counts its sub-plans in, what a sub-plan spent its own calls alone: sums over either kind are right.
-- Of the model calls are read those that the plans on the right ask for, which are few for a short time.
SELECT
  plan.Timestamp AS Timestamp,
  plan.TraceId AS TraceId,
  plan.ServiceName AS ServiceName,
  plan.PlanId AS PlanId,
  plan.RootPlanId AS RootPlanId,
  plan.Workflow AS Workflow,
  plan.Title AS Title,
  plan.Request AS Request,
  plan.IsRoot AS IsRoot,
  plan.Dialect AS Dialect,
  plan.Convention AS Convention,
  plan.State AS State,
  usage.Calls AS ModelCalls,
  ifNull(usage.Input, 0) AS InputTokens,
  ifNull(usage.Output, 0) AS OutputTokens,
  ifNull(usage.Total, 0) AS TotalTokens,
  ifNull(usage.CacheRead, 0) AS CacheReadTokens,
  ifNull(usage.CacheWrite, 0) AS CacheWriteTokens,
  ifNull(usage.Reasoning, 0) AS ReasoningTokens,
  ifNull(usage.Agent, 0) AS AgentTokens,
  ifNull(usage.WorldModel, 0) AS WorldModelTokens,
  ifNull(usage.Harmonyguard, 0) AS HarmonyguardTokens,
  ifNull(usage.Reactive, 0) AS ReactiveTokens,
  usage.Cost AS CostUsd,
  usage.Unpriced AS UnpricedCalls,
  plan.BudgetTokens AS BudgetTokens,
  plan.BudgetCostUsd AS BudgetCostUsd
FROM (
  SELECT
    TraceId AS UsageTrace,
    arrayJoin(arrayDistinct([PlanId, RootPlanId])) AS UsagePlan,
    count() AS Calls,
    sum(InputTokens) AS Input,
    sum(OutputTokens) AS Output,
    sum(TotalTokens) AS Total,
    sum(CacheReadTokens) AS CacheRead,
    sum(CacheWriteTokens) AS CacheWrite,
    sum(ReasoningTokens) AS Reasoning,
    sumIf(TotalTokens, UsageRole = 'agent') AS Agent,
    sumIf(TotalTokens, UsageRole = 'world_model') AS WorldModel,
    sumIf(TotalTokens, UsageRole = 'harmonyguard') AS Harmonyguard,
    sumIf(TotalTokens, UsageRole = 'reactive') AS Reactive,
    sumOrNull(CostUsd) AS Cost,
    countIf(isNull(CostUsd)) AS Unpriced
  FROM (${joined_calls})
  GROUP BY UsageTrace, UsagePlan
) AS usage
ANY RIGHT JOIN (${standing_plans}) AS plan ON usage.UsageTrace = plan.TraceId AND usage.UsagePlan = if(plan.Dialect = '', plan.PlanId, plan.RootPlanId)
