-- The same of traces that have no plan of planspan's own: their spans have no rows in plan_states.
SELECT
  TraceId AS traceId,
  uniqExact(SpanId) AS rows,
  toString(max(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS end
FROM ${database}.otel_traces
WHERE ${spans_of_traces}
GROUP BY TraceId
