SELECT TraceId AS traceId
FROM ${database}.otel_traces_trace_id_ts
WHERE TraceId = {traceId:String}
LIMIT 1
