-- Of each import the record's own plan, with when anything of it was heard of and what it waits for.
SELECT
  TraceId,
  Dialect,
  Source,
  RecordKey,
  Digest,
  MappingVersion,
  Redacted,
  plan,
  arrayMax(Plans.End) AS LastSeen,
  arrayFlatten(Plans.OpenWaits) AS OpenWaits,
  arrayFlatten(Plans.ClosedWaits) AS ClosedWaits
FROM (${generations})
ARRAY JOIN arrayFilter(one -> one.Dialect != '', Plans) AS plan
