-- The traces, among some ids, that have spans on several shards.
SELECT TraceId AS traceId
FROM ${database}.otel_traces_trace_id_ts
WHERE TraceId IN {traceIds:Array(String)}
GROUP BY TraceId
HAVING uniqExact(_shard_num) > 1
