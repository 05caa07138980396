-- The rows of a view that belong to plans: for a live plan with those of its sub-plans, for an import those of its
-- trace.
WITH chosen AS (SELECT TraceId, RootPlanId, Dialect FROM ${database}.plan_rows FINAL WHERE ${where})
SELECT *
FROM ${database}.${view}
WHERE (TraceId, if(RootPlanId = '', PlanId, RootPlanId)) GLOBAL IN (SELECT TraceId, RootPlanId FROM chosen)
  OR TraceId GLOBAL IN (SELECT TraceId FROM chosen WHERE Dialect != '')
FORMAT Parquet
