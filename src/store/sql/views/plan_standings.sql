-- A plan's rows count for its root, too, but for what is the plan's own. All plans of an imported record are one tree.
SELECT
  plan.TraceId AS TraceId,
  plan.PlanId AS PlanId,
  plan.OwnDialect AS OwnDialect,
  plan.OwnSource AS OwnSource,
  if(open.State = '', plan.Told, open.State) AS State,
  plan.LastSeen AS LastSeen
FROM (
  SELECT
    TraceId,
    Member AS PlanId,
    maxIf(Dialect, IsOwn) AS OwnDialect,
    maxIf(Source, IsOwn) AS OwnSource,
    argMaxMergeIf(State, IsOwn) AS Told,
    if(max(OwnDialect) OVER (PARTITION BY TraceId) = '', max(End), max(max(End)) OVER (PARTITION BY TraceId)) AS LastSeen,
    max(IsOwn) AS HasOwn
  FROM (
    SELECT *, arrayJoin(arrayDistinct([PlanId, if(RootPlanId = '', PlanId, RootPlanId)])) AS Member, Member = PlanId AS IsOwn
    FROM ${database}.plan_states
  )
  GROUP BY TraceId, Member
) AS plan
ANY LEFT JOIN ${database}.open_plans AS open ON open.TraceId = plan.TraceId AND open.PlanId = plan.PlanId
WHERE plan.HasOwn
