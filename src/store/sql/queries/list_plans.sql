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
  SELECT
    *,
    plan,
    arrayFilter(p -> Dialect != '' OR p.PlanId = plan.PlanId OR p.RootPlanId = plan.PlanId, Plans) AS tree,
    plan.PlanSpan AS PlanSpan,
    plan.Pending AS Pending,
    plan.Told AS Told,
    plan.LatestStart AS LatestStart,
    plan.HeartbeatMs AS HeartbeatMs,
    plan.HasAgent AS HasAgent,
    Dialect = '' AS IsLive,
    arrayMax(tree.End) AS LastSeen,
    arrayFlatten(tree.OpenWaits) AS OpenWaits,
    arrayFlatten(tree.ClosedWaits) AS ClosedWaits,
    arrayFilter(wait -> wait.2 >= LatestStart AND NOT has(ClosedWaits, wait.1), OpenWaits) AS Awaited
  FROM (${generations})
  ARRAY JOIN Plans AS plan
  WHERE if(Dialect != '', plan.Dialect != '', plan.RootPlanId IN ('', plan.PlanId) OR NOT has(Plans.PlanId, plan.RootPlanId))
    AND plan.Start >= fromUnixTimestamp64Nano({from:Int64}) AND plan.Start <= fromUnixTimestamp64Nano({to:Int64})
) AS listed
${figures}
WHERE ${where}
ORDER BY ${order}
LIMIT {limit:UInt32}
