-- Of live traces the root plans, and sub-plans whose root is not there, each with when its tree was heard of and what that waits for.
-- A trace may have any number of plans: none of them is given an array of all. Arrays side by side cost a fraction of one of
-- tuples, and of them is made what is asked for.
SELECT
  TraceId,
  '' AS Dialect,
  '' AS Source,
  '' AS RecordKey,
  '' AS Digest,
  Version AS MappingVersion,
  Masked AS Redacted,
  PlanId, RootPlanId, Start, PlanSpan, Pending, Told, LatestStart, HeartbeatMs, HasAgent, Facts,
  LastSeen,
  OpenWaits,
  ClosedWaits
FROM (
  SELECT
    TraceId,
    if(Root = '', Plan, Root) AS Tree,
    max(Schema) AS Version,
    max(Mask) AS Masked,
    countIf(IsRoot) > 0 AS HasRoot,
    if(HasRoot, [anyIf(Plan, IsRoot)], groupArrayIf(Plan, NOT IsRoot)) AS Plans,
    if(HasRoot, [anyIf(Root, IsRoot)], groupArrayIf(Root, NOT IsRoot)) AS Roots,
    if(HasRoot, [anyIf(Began, IsRoot)], groupArrayIf(Began, NOT IsRoot)) AS Begans,
    if(HasRoot, [anyIf(OwnSpan, IsRoot)], groupArrayIf(OwnSpan, NOT IsRoot)) AS OwnSpans,
    if(HasRoot, [anyIf(Goes, IsRoot)], groupArrayIf(Goes, NOT IsRoot)) AS Goess,
    if(HasRoot, [anyIf(Stands, IsRoot)], groupArrayIf(Stands, NOT IsRoot)) AS Standss,
    if(HasRoot, [anyIf(LatestBegan, IsRoot)], groupArrayIf(LatestBegan, NOT IsRoot)) AS LatestBegans,
    if(HasRoot, [anyIf(Heartbeat, IsRoot)], groupArrayIf(Heartbeat, NOT IsRoot)) AS Heartbeats,
    if(HasRoot, [anyIf(Agent, IsRoot)], groupArrayIf(Agent, NOT IsRoot)) AS Agents,
    if(HasRoot, [anyIf(Said, IsRoot)], groupArrayIf(Said, NOT IsRoot)) AS Saids,
    if(HasRoot, [max(Until)], groupArrayIf(Until, NOT IsRoot)) AS Untils,
    if(HasRoot, [groupArrayArray(Opened)], groupArrayIf(Opened, NOT IsRoot)) AS Openeds,
    if(HasRoot, [groupArrayArray(Closed)], groupArrayIf(Closed, NOT IsRoot)) AS Closeds
  FROM (
    SELECT
      TraceId,
      PlanId AS Plan,
      max(RootPlanId) AS Root,
      Root IN ('', Plan) AS IsRoot,
      min(Start) AS Began,
      max(End) AS Until,
      max(PlanSpan) AS OwnSpan,
      max(MappingVersion) AS Schema,
      max(Redacted) AS Mask,
      max(Latest) AS Recent,
      argMaxMerge(State) AS Stands,
      NOT bitTest(toUInt64(Recent), 31) AS Goes,
      fromUnixTimestamp64Nano(toInt64(toUInt64(bitShiftRight(Recent, 32)))) AS LatestBegan,
      argMaxMerge(HeartbeatMs) AS Heartbeat,
      max(HasAgent) AS Agent,
      argMaxMerge(Facts) AS Said,
      groupArrayArray(OpenWaits) AS Opened,
      groupArrayArray(ClosedWaits) AS Closed
    FROM ${database}.plan_states
    WHERE ${where}
    GROUP BY TraceId, Plan
  )
  GROUP BY TraceId, Tree
)
ARRAY JOIN
  Plans AS PlanId,
  Roots AS RootPlanId,
  Begans AS Start,
  OwnSpans AS PlanSpan,
  Goess AS Pending,
  Standss AS Told,
  LatestBegans AS LatestStart,
  Heartbeats AS HeartbeatMs,
  Agents AS HasAgent,
  Saids AS Facts,
  Untils AS LastSeen,
  Openeds AS OpenWaits,
  Closeds AS ClosedWaits
