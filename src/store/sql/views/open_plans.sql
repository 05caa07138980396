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
      TraceId,
      plan.PlanId AS PlanId,
      plan.PlanSpan AS PlanSpan,
      plan.Ended AS Ended,
      plan.Told AS Told,
      plan.HasAgent AS HasAgent,
      plan.LastSeen AS LastSeen,
      plan.LeftBehind AS LeftBehind,
      plan.Awaits AS Awaits,
      plan.IsSilent AS IsSilent,
      BelowOver,
      BelowSuspended
    FROM (
      -- Each round looks twice as far up, so that they are few. ClickHouse copies what a lambda looks into for each of its
      -- elements: where a trace has very many plans, the outermost alone tells how those below it stand.
      SELECT
        TraceId,
        arraySort(plan -> plan.PlanId, groupArray(CAST(
          (PlanId, Parent, PlanSpan, Ended, Told, HasAgent, LastSeen, LeftBehind, Awaits, IsSilent, IsOver, IsSuspended, BelowRootOver, BelowRootSuspended),
          'Tuple(PlanId String, Parent String, PlanSpan UInt8, Ended UInt8, Told String, HasAgent UInt8, LastSeen DateTime64(9), LeftBehind UInt8, Awaits UInt8, IsSilent UInt8, IsOver UInt8, IsSuspended UInt8, BelowRootOver UInt8, BelowRootSuspended UInt8)'
        ))) AS Plans,
        if(length(Plans) > 1000, [], Plans) AS Known,
        Known.PlanId AS Ids,
        arrayMap(parent -> indexOfAssumeSorted(Ids, parent), Known.Parent) AS Above,
        Known.IsOver AS AreOver,
        Known.IsSuspended AS AreSuspended,
        arrayFold(
          (seen, round) -> (
            arrayMap(above -> seen.1[above], seen.1),
            arrayMap((is, above) -> is OR seen.2[above], seen.2, seen.1),
            arrayMap((is, above) -> is OR seen.3[above], seen.3, seen.1)
          ),
          range(toUInt8(ceil(log2(length(Known) + 1)))),
          (Above, arrayMap(above -> AreOver[above], Above), arrayMap(above -> AreSuspended[above], Above))
        ) AS Seen
      FROM (
        SELECT
          *,
          ${own_plan_state} AS OwnState,
          OwnState IN (${over}) AS IsOver,
          OwnState = 'waiting' AND Ended AS IsSuspended,
          PlanId != RootId AND max(PlanId = RootId AND IsOver) OVER (PARTITION BY TraceId, RootId) AS BelowRootOver,
          PlanId != RootId AND max(PlanId = RootId AND IsSuspended) OVER (PARTITION BY TraceId, RootId) AS BelowRootSuspended
        FROM (
          SELECT
            TraceId,
            PlanId,
            RootId,
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
              WHERE TraceId GLOBAL IN (${open_traces})
            )
            GROUP BY TraceId, Member
          )
          WHERE HasOwn
        )
      )
      WHERE IsLive AND IsOpen
      GROUP BY TraceId
    )
    ARRAY JOIN
      Plans AS plan,
      if(empty(Known), Plans.BelowRootOver, Seen.2) AS BelowOver,
      if(empty(Known), Plans.BelowRootSuspended, Seen.3) AS BelowSuspended
  )
)
