-- The progress of traces: each new span and each log record raises one of the two numbers, except for a snapshot that is
-- older than a stored one.
SELECT
  TraceId AS traceId,
  uniqExactIf(SpanId, SpanState != ${PENDING} OR PendingSpanId = '') AS rows,
  toString(max(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS end
FROM ${database}.otel_traces
WHERE ${in_places}
GROUP BY TraceId
