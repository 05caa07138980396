-- A row a trace with its plans.
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
  ${merged_plans}
)
GROUP BY TraceId
