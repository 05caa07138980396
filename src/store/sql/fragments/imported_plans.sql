-- Of each import the record's own plan, with when anything of it was heard of and what it waits for.
SELECT
  TraceId,
  Dialect,
  Source,
  RecordKey,
  Digest,
  MappingVersion,
  Redacted,
  plan.PlanId AS PlanId,
  plan.RootPlanId AS RootPlanId,
  plan.Start AS Start,
  plan.PlanSpan AS PlanSpan,
  plan.Pending AS Pending,
  plan.Told AS Told,
  plan.LatestStart AS LatestStart,
  plan.HeartbeatMs AS HeartbeatMs,
  plan.HasAgent AS HasAgent,
  plan.Facts AS Facts,
  arrayMax(Plans.End) AS LastSeen,
  arrayFlatten(Plans.OpenWaits) AS OpenWaits,
  arrayFlatten(Plans.ClosedWaits) AS ClosedWaits
FROM (${generations})
ARRAY JOIN arrayFilter(one -> one.Dialect != '', Plans) AS plan
