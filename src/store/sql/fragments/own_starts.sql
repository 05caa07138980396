-- When plans begin: of a record its own plan is listed, of a live trace the root plans, and sub-plans whose root is not there.
SELECT
    TraceId,
    PlanId,
    min(Start) AS Began,
    max(RootPlanId) AS Root,
    Root IN ('', PlanId) AS IsRoot,
    max(Dialect) != '' AS IsRecord,
    max(IsRecord) OVER (PARTITION BY TraceId) AS IsImport,
    if(IsImport, IsRecord, IsRoot OR NOT max(IsRoot) OVER (PARTITION BY TraceId, if(IsRoot, PlanId, Root))) AS IsListed
  FROM ${database}.plan_states
  WHERE ${traces_between}
  GROUP BY TraceId, PlanId
