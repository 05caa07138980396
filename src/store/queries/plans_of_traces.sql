-- The plans of traces; for an imported record with the key that finds all its imports.
SELECT
  TraceId AS traceId,
  PlanId AS planId,
  toString(sipHash64(PlanId)) AS planKey,
  if(max(RootPlanId) = '', PlanId, max(RootPlanId)) AS rootPlanId,
  max(toString(RecordDialect)) AS dialect,
  max(SpanAttributes[${ATTR.recordSource}]) AS source,
  max(SpanAttributes[${ATTR.recordKey}]) AS record,
  if(record = '', '', lower(hex(sipHash128(dialect, source, record)))) AS recordKey
FROM ${database}.otel_traces
WHERE ${in_places} AND PlanId != ''
GROUP BY TraceId, PlanId
