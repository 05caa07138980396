-- Plans that start between two times: a page of them in an order, or all.
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
  toString(ranked) AS rank${workflow}
FROM (
  SELECT
    *,
    Dialect = '' AS IsLive,
    arrayFilter(wait -> wait.2 >= LatestStart AND NOT has(ClosedWaits, wait.1), OpenWaits) AS Awaited
  FROM (
    ${plans}
  )
) AS plan
${figures}
WHERE plan.Start >= fromUnixTimestamp64Nano({from:Int64}) AND plan.Start <= fromUnixTimestamp64Nano({to:Int64})
  AND ${where}
${page}
