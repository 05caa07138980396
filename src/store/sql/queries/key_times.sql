-- Between which times the spans start of the traces that carry a key, no row when none does. The lookup's are whole seconds.
SELECT
  toString(toUnixTimestamp64Nano(toDateTime64(min(Start), 9))) AS first,
  toString(toUnixTimestamp64Nano(toDateTime64(max(End), 9)) + 999999999) AS last
FROM ${database}.otel_traces_trace_id_ts
WHERE TraceId GLOBAL IN (SELECT TraceId FROM (${traces_of_key}))
HAVING count() > 0
