-- The hours in which the spans of traces start. A collector's rows have no hours.
SELECT
  TraceId AS traceId,
  toUnixTimestamp(Start) AS start,
  toUnixTimestamp(End) AS end,
  CAST(Hours, 'Array(UInt32)') AS hours
FROM ${database}.otel_traces_trace_id_ts
WHERE TraceId ${traces}
