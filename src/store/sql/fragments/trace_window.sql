-- Of span starts in whole seconds, so its last second is open at the end.
(
  SELECT (toDateTime64(min(Start), 9), toDateTime64(max(End), 9) + INTERVAL 1 SECOND, min(notEmpty(Minutes)))
  FROM ${database}.otel_traces_trace_id_ts
  WHERE TraceId IN {traceIds:Array(String)}
) AS window
