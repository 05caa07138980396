-- The same of traces that have no plan of planspan's own: their spans have no rows in plan_states.
WITH (
  SELECT (toDateTime64(min(Start), 9), toDateTime64(max(End), 9) + INTERVAL 1 SECOND, min(notEmpty(Minutes)))
  FROM ${database}.otel_traces_trace_id_ts
  WHERE TraceId IN {traceIds:Array(String)}
) AS window
SELECT
  TraceId AS traceId,
  uniqExact(SpanId) AS rows,
  toString(max(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS end
FROM ${database}.otel_traces
WHERE TraceId IN {traceIds:Array(String)} AND Timestamp >= window.1 AND Timestamp <= window.2
  AND (NOT window.3 OR (toStartOfMinute(Timestamp), TraceId) GLOBAL IN (
    SELECT arrayJoin(Minutes), TraceId FROM ${database}.otel_traces_trace_id_ts WHERE TraceId IN {traceIds:Array(String)}
  ))
GROUP BY TraceId
