-- The first and the last start of spans in some traces; no row without a trace. The lookup stores whole seconds.
SELECT
  toString(toUnixTimestamp64Nano(toDateTime64(min(Start), 9))) AS first,
  toString(toUnixTimestamp64Nano(toDateTime64(max(End), 9)) + 999999999) AS last
FROM ${database}.otel_traces_trace_id_ts
WHERE TraceId ${traces}
HAVING count() > 0
