-- The rows of a view that are of some plans: of a live one with all that is below its root, of an import the whole trace.
SELECT *
FROM ${database}.${view}
WHERE (TraceId, if(RootPlanId = '', PlanId, RootPlanId)) GLOBAL IN (
    SELECT traceId, rootPlanId FROM (${own_plans})
    UNION ALL
    SELECT traceId, rootPlanId FROM (${foreign_plans})
  )
  OR TraceId GLOBAL IN (SELECT traceId FROM (${own_plans}) WHERE dialect != '')
FORMAT Parquet
