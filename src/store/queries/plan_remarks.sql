-- The headlines of the outermost plans of traces, and the time until which each has shown a sign of life.
SELECT
  TraceId AS traceId,
  SpanId AS spanId,
  Headline AS headline,
  toBool(Dialect = '' AND ${state} = 'waiting') AS waits,
  toString(toUnixTimestamp64Nano(if(waits, now64(9), LastSeen))) AS until
FROM ${database}.plan_rows FINAL
WHERE TraceId IN {traceIds:Array(String)} AND IsRoot AND SpanId != ''
