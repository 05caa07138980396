-- Of a live trace the root plans, and sub-plans whose root is not in it; of an import the record's own plan.
SELECT
  plan.PlanId AS planId,
  plan.RootPlanId AS rootPlanId,
  TraceId AS traceId,
  Dialect AS dialect,
  Source AS source,
  RecordKey AS recordKey,
  Digest AS digest,
  MappingVersion AS mappingVersion,
  Redacted AS redacted,
  if(plan.PlanSpan > 0 AND plan.Latest.Pending, 1, plan.PlanSpan) AS planSpan,
  toString(toUnixTimestamp64Nano(plan.Start)) AS start,
  toString(toUnixTimestamp64Nano(arrayMax(tree.End))) AS end,
  arraySum(tree.Spans) AS spans,
  arraySum(tree.Errors) AS errors,
  ${state} AS state
FROM (
  SELECT *, plan, arrayFilter(p -> Dialect != '' OR p.PlanId = plan.PlanId OR p.RootPlanId = plan.PlanId, Plans) AS tree
  FROM (${generations})
  ARRAY JOIN Plans AS plan
  WHERE if(Dialect != '', plan.Dialect != '', plan.RootPlanId IN ('', plan.PlanId) OR NOT has(Plans.PlanId, plan.RootPlanId))
    AND plan.Start >= fromUnixTimestamp64Nano({from:Int64}) AND plan.Start <= fromUnixTimestamp64Nano({to:Int64})
)
WHERE ${where}
ORDER BY plan.Start DESC, traceId DESC, planId DESC
LIMIT {limit:UInt32}
