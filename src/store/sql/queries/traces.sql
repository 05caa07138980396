-- A row a trace with its plans. Parts may be unmerged and a plan's rows may lie in several partitions: all is merged here.
-- Spans of different plans are different spans, so their counts add up. An import's trace is one generation of one
-- record, and Generation orders the generations of a record.
SELECT
  TraceId,
  max(plan.Dialect) AS Dialect,
  max(plan.Source) AS Source,
  max(plan.RecordKey) AS RecordKey,
  max(plan.Digest) AS Digest,
  max(plan.MappingVersion) AS MappingVersion,
  max(plan.Redacted) AS Redacted,
  min(plan.Start) AS Start,
  (
    max(plan.End),
    max(plan.Dialect != '' AND plan.State IN ('completed', 'failed', 'cancelled', 'interrupted')),
    sum(plan.Spans),
    MappingVersion,
    1 - Redacted,
    Digest
  ) AS Generation,
  groupArray(plan) AS Plans
FROM (
  SELECT
    TraceId,
    CAST((
      PlanId,
      max(RootPlanId),
      min(Start),
      max(End),
      uniqExactIfMerge(Spans),
      uniqExactIfMerge(Errors),
      argMaxMerge(State),
      max(PlanSpan),
      max(HeartbeatMs),
      max(MappingVersion),
      max(Redacted),
      max(Dialect),
      max(Source),
      max(RecordKey),
      max(Digest),
      argMaxIfMerge(Latest),
      max(HasAgent),
      groupUniqArrayIfMerge(OpenWaits),
      groupUniqArrayIfMerge(ClosedWaits)
    ), 'Tuple(PlanId String, RootPlanId String, Start DateTime64(9), End DateTime64(9), Spans UInt64, Errors UInt64, State String, PlanSpan UInt8, HeartbeatMs UInt32, MappingVersion UInt16, Redacted UInt8, Dialect String, Source String, RecordKey String, Digest String, Latest Tuple(State String, Pending UInt8, HeartbeatMs UInt32, Start DateTime64(9)), HasAgent UInt8, OpenWaits Array(Tuple(String, DateTime64(9))), ClosedWaits Array(String))') AS plan
  FROM ${database}.plan_states
  WHERE ${where}
  GROUP BY TraceId, PlanId
)
GROUP BY TraceId
