(toStartOfHour(Timestamp, 'UTC'), TraceId) GLOBAL IN (
  SELECT arrayJoin(${trace_hours}), TraceId
  FROM ${database}.otel_traces_trace_id_ts
  WHERE TraceId ${traces}
)
