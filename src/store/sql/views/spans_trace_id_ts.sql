SELECT TraceId, min(Start) AS Start, max(End) AS End
FROM ${database}.otel_traces_trace_id_ts
GROUP BY TraceId
