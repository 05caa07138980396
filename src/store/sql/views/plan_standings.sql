-- A plan's rows count for its root, too, but for what is the plan's own. All plans of an imported record are one tree.
SELECT
  TraceId,
  PlanId,
  OwnDialect,
  OwnSource,
  ${plan_state} AS State,
  LastSeen
FROM (
  SELECT
    TraceId,
    Member AS PlanId,
    maxIf(Dialect, IsOwn) AS OwnDialect,
    maxIf(Source, IsOwn) AS OwnSource,
    maxIf(PlanSpan, IsOwn) AS PlanSpan,
    maxIf(Latest, IsOwn) AS OwnLatest,
    NOT bitTest(toUInt64(bitShiftRight(OwnLatest, 64)), 31) AS Pending,
    fromUnixTimestamp64Nano(toInt64(toUInt64(OwnLatest))) AS LatestStart,
    argMaxMergeIf(State, IsOwn) AS Told,
    argMaxMergeIf(HeartbeatMs, IsOwn) AS HeartbeatMs,
    maxIf(HasAgent, IsOwn) AS HasAgent,
    groupUniqArrayArray(OpenWaits) AS OpenWaits,
    groupUniqArrayArray(ClosedWaits) AS ClosedWaits,
    max(OwnDialect) OVER (PARTITION BY TraceId) = '' AS IsLive,
    if(IsLive, max(End), max(max(End)) OVER (PARTITION BY TraceId)) AS LastSeen,
    max(IsOwn) AS HasOwn
  FROM (
    SELECT *, arrayJoin(arrayDistinct([PlanId, if(RootPlanId = '', PlanId, RootPlanId)])) AS Member, Member = PlanId AS IsOwn
    FROM ${database}.plan_states
  )
  GROUP BY TraceId, Member
)
WHERE HasOwn
