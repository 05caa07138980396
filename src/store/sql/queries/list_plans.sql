-- Of a live trace the root plans, and sub-plans whose root is not in it; of an import the record's own plan.
WITH
  if(state = 'waiting', toUnixTimestamp64Nano(if(empty(Awaited), LastSeen, arrayMin(wait -> wait.2, Awaited))), NULL) AS waitingFrom,
  ${rank} AS ranked
SELECT
  plan.PlanId AS planId,
  if(plan.RootPlanId = '', plan.PlanId, plan.RootPlanId) AS rootPlanId,
  TraceId AS traceId,
  Dialect AS dialect,
  '' AS convention,
  Source AS source,
  RecordKey AS recordKey,
  Digest AS digest,
  MappingVersion AS mappingVersion,
  Redacted AS redacted,
  if(PlanSpan > 0 AND Pending, 1, PlanSpan) AS planSpan,
  toString(toUnixTimestamp64Nano(plan.Start)) AS start,
  toString(toUnixTimestamp64Nano(LastSeen)) AS end,
  ${state} AS state,
  toString(waitingFrom) AS waitingSince,
  toString(ranked) AS rank
FROM (
  -- A trace may have any number of plans: none of them is given an array of all.
  SELECT
    *,
    plan.PlanSpan AS PlanSpan,
    plan.Pending AS Pending,
    plan.Told AS Told,
    plan.LatestStart AS LatestStart,
    plan.HeartbeatMs AS HeartbeatMs,
    plan.HasAgent AS HasAgent,
    Dialect = '' AS IsLive,
    max(plan.End) OVER (PARTITION BY TraceId, Tree) AS LastSeen,
    groupArrayArray(plan.OpenWaits) OVER (PARTITION BY TraceId, Tree) AS OpenWaits,
    groupArrayArray(plan.ClosedWaits) OVER (PARTITION BY TraceId, Tree) AS ClosedWaits,
    arrayFilter(wait -> wait.2 >= LatestStart AND NOT has(ClosedWaits, wait.1), OpenWaits) AS Awaited
  FROM (
    SELECT
      *,
      max(plan.PlanId = Root) OVER (PARTITION BY TraceId, Root) AS HasRoot,
      multiIf(Dialect != '', '', HasRoot, Root, plan.PlanId) AS Tree
    FROM (
      SELECT
        TraceId,
        Dialect,
        Source,
        RecordKey,
        Digest,
        MappingVersion,
        Redacted,
        plan,
        if(plan.RootPlanId = '', plan.PlanId, plan.RootPlanId) AS Root
      FROM (${generations})
      ARRAY JOIN Plans AS plan
    )
  )
) AS listed
${figures}
WHERE if(Dialect != '', plan.Dialect != '', plan.PlanId = Root OR NOT HasRoot)
  AND plan.Start >= fromUnixTimestamp64Nano({from:Int64}) AND plan.Start <= fromUnixTimestamp64Nano({to:Int64})
  AND ${where}
ORDER BY ${order}
LIMIT {limit:UInt32}
