SELECT
  ${columns}
FROM ${database}.otel_traces_trace_id_ts AS span
GROUP BY TraceId
