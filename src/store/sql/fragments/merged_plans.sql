-- The plans of traces. Parts may be unmerged and a plan's rows may lie in several partitions: all is merged here.
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
    argMaxMerge(Facts),
    groupUniqArrayArray(OpenWaits),
    groupUniqArrayArray(ClosedWaits)
  ), 'Tuple(PlanId String, RootPlanId String, Start DateTime64(9), End DateTime64(9), PlanSpan UInt8, MappingVersion UInt16, Redacted UInt8, Dialect String, Source String, RecordKey String, Digest String, RecordSpans UInt32, Told String, Pending UInt8, LatestStart DateTime64(9), HeartbeatMs UInt32, HasAgent UInt8, Facts Tuple(String, String, String, String), OpenWaits Array(Tuple(String, DateTime64(9))), ClosedWaits Array(String))') AS plan
FROM ${database}.plan_states
WHERE ${where}
GROUP BY TraceId, PlanId
