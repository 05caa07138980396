SELECT
  TraceId,
  plan.PlanId AS PlanId,
  plan.Dialect AS OwnDialect,
  plan.Source AS OwnSource,
  arrayFilter(p -> Dialect != '' OR p.PlanId = plan.PlanId OR p.RootPlanId = plan.PlanId, Plans) AS tree,
  ${plan_state} AS State,
  arrayMax(tree.End) AS LastSeen
FROM (
  SELECT TraceId, max(plan.Dialect) AS Dialect, max(plan.Source) AS Source, groupArray(plan) AS Plans
  FROM (
    SELECT
      TraceId,
      CAST((
        PlanId,
        max(RootPlanId),
        max(End),
        max(PlanSpan),
        max(Dialect),
        max(Source),
        argMaxIfMerge(Latest),
        max(HasAgent),
        groupUniqArrayIfMerge(OpenWaits),
        groupUniqArrayIfMerge(ClosedWaits)
      ), 'Tuple(PlanId String, RootPlanId String, End DateTime64(9), PlanSpan UInt8, Dialect String, Source String, Latest Tuple(State String, Pending UInt8, HeartbeatMs UInt32, Start DateTime64(9)), HasAgent UInt8, OpenWaits Array(Tuple(String, DateTime64(9))), ClosedWaits Array(String))') AS plan
    FROM ${database}.plan_states
    GROUP BY TraceId, PlanId
  )
  GROUP BY TraceId
)
ARRAY JOIN Plans AS plan
