SELECT
  TraceId,
  PlanId,
  State,
  multiIf(
    BelowOver OR State IN (${over}), 'interrupted',
    BelowSuspended OR (State = 'waiting' AND Ended), 'waiting',
    ''
  ) AS LeftOpen,
  LastSeen
FROM (
  SELECT TraceId, PlanId, Ended, LastSeen, BelowOver, BelowSuspended, if(PlanSpan = 0, 'running', ${open_plan_state}) AS State
  FROM (
    SELECT
      *,
      CAST(groupArrayIf((PlanId, Parent), Parent != '') OVER (PARTITION BY TraceId), 'Map(String, String)') AS Parents,
      arrayFold((above, level) -> arrayPushBack(above, Parents[above[-1]]), range(length(Parents)), [Parent]) AS Above,
      hasAny(Above, groupArrayIf(PlanId, OwnState IN (${over})) OVER (PARTITION BY TraceId)) AS BelowOver,
      hasAny(Above, groupArrayIf(PlanId, OwnState = 'waiting' AND Ended) OVER (PARTITION BY TraceId)) AS BelowSuspended
    FROM (
      SELECT *, ${own_plan_state} AS OwnState
      FROM (
        SELECT
          TraceId,
          PlanId,
          Parent,
          PlanSpan,
          Ended,
          Told,
          HasAgent,
          LastSeen,
          Began < maxIf(Began, PlanId = RootId AND Segment > 0) OVER (PARTITION BY TraceId, RootId) AS LeftBehind,
          arrayExists(wait -> wait.2 >= Began AND NOT has(ClosedWaits, wait.1), OpenWaits) AS Awaits,
          -- A sub-plan is heard of with its root.
          HeartbeatMs > 0 AND (PlanId = RootId OR max(PlanId = RootId AND PlanSpan > 0) OVER (PARTITION BY TraceId, RootId) = 0)
            AND toUnixTimestamp64Nano(now64(9)) - toUnixTimestamp64Nano(LastSeen) > HeartbeatMs * 1000000 AS IsSilent,
          max(Dialect) OVER (PARTITION BY TraceId) = '' AS IsLive,
          max(NOT Ended OR Told = 'waiting') OVER (PARTITION BY TraceId) AS IsOpen
        FROM (
          SELECT
            TraceId,
            Member AS PlanId,
            maxIf(Root, IsOwn) AS RootId,
            maxIf(ParentPlanId, IsOwn) AS Parent,
            maxIf(PlanSpan, IsOwn) AS PlanSpan,
            maxIf(Latest, IsOwn) AS OwnLatest,
            bitShiftRight(OwnLatest, 97) AS Segment,
            fromUnixTimestamp64Nano(toInt64(toUInt64(bitShiftRight(OwnLatest, 32)))) AS Began,
            bitTest(toUInt64(OwnLatest), 31) AS Ended,
            argMaxMergeIf(State, IsOwn) AS Told,
            argMaxMergeIf(HeartbeatMs, IsOwn) AS HeartbeatMs,
            maxIf(HasAgent, IsOwn) AS HasAgent,
            groupUniqArrayArray(OpenWaits) AS OpenWaits,
            groupUniqArrayArray(ClosedWaits) AS ClosedWaits,
            max(End) AS LastSeen,
            max(Dialect) AS Dialect,
            max(IsOwn) AS HasOwn
          FROM (
            -- A plan's rows count for its root, too, but for what is the plan's own.
            SELECT *, if(RootPlanId = '', PlanId, RootPlanId) AS Root, arrayJoin(arrayDistinct([PlanId, Root])) AS Member, Member = PlanId AS IsOwn
            FROM ${database}.plan_states
            WHERE TraceId GLOBAL IN (SELECT TraceId FROM ${database}.plan_states WHERE ${may_be_open} = 1)
          )
          GROUP BY TraceId, Member
        )
        WHERE HasOwn
      )
    )
    WHERE IsLive AND IsOpen
  )
)
