-- A row a trace with its plans. Parts may be unmerged and a plan's rows may lie in several partitions: all is merged here.
-- An import's trace is one generation of one record, and Generation orders the generations of a record.
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
    max(plan.Dialect != '' AND plan.Told IN ('completed', 'failed', 'cancelled', 'interrupted')),
    max(plan.RecordSpans),
    MappingVersion,
    1 - Redacted,
    Digest
  ) AS Generation,
  groupArray(plan) AS Plans
FROM (
  SELECT
    TraceId,
    max(Latest) AS latest,
    CAST((
      PlanId,
      max(RootPlanId),
      min(Start),
      max(End),
      max(PlanSpan),
      max(MappingVersion),
      max(Redacted),
      max(Dialect),
      max(Source),
      max(RecordKey),
      max(Digest),
      max(RecordSpans),
      argMaxMerge(State),
      NOT bitTest(toUInt64(latest), 31),
      fromUnixTimestamp64Nano(toInt64(toUInt64(bitShiftRight(latest, 32)))),
      argMaxMerge(HeartbeatMs),
      max(HasAgent),
      groupUniqArrayArray(OpenWaits),
      groupUniqArrayArray(ClosedWaits)
    ), 'Tuple(PlanId String, RootPlanId String, Start DateTime64(9), End DateTime64(9), PlanSpan UInt8, MappingVersion UInt16, Redacted UInt8, Dialect String, Source String, RecordKey String, Digest String, RecordSpans UInt32, Told String, Pending UInt8, LatestStart DateTime64(9), HeartbeatMs UInt32, HasAgent UInt8, OpenWaits Array(Tuple(String, DateTime64(9))), ClosedWaits Array(String))') AS plan
  FROM ${database}.plan_states
  WHERE ${where}
  GROUP BY TraceId, PlanId
)
GROUP BY TraceId
