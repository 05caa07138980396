-- The traces with a matching ended span in a window, the newest match first.
SELECT
  TraceId AS traceId,
  toString(toUnixTimestamp64Nano(min(Timestamp))) AS first,
  toString(toUnixTimestamp64Nano(max(Timestamp))) AS last
FROM ${database}.otel_traces
WHERE Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND Timestamp < fromUnixTimestamp64Nano({to:Int64})
  AND length(TraceId) = 32
  AND SpanState != ${PENDING}
  AND (${where})
GROUP BY TraceId
ORDER BY max(Timestamp) DESC, traceId
LIMIT {limit:UInt32}
