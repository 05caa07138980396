-- The keys of the rows that the indexer has written for some traces.
SELECT 'plans' AS table, TraceId AS traceId, toString(toUnixTimestamp64Nano(Timestamp)) AS time, [PlanId] AS rest
FROM ${database}.plan_rows FINAL
WHERE TraceId IN {traceIds:Array(String)} AND ${in_time}
UNION ALL
SELECT 'spans', TraceId, toString(toUnixTimestamp64Nano(Timestamp)), [toString(Role), SpanId]
FROM ${database}.span_rows FINAL
WHERE TraceId IN {traceIds:Array(String)} AND ${in_time}
UNION ALL
SELECT 'steps', TraceId, toString(toUnixTimestamp64Nano(Timestamp)), [PlanId, toString(StepIndex)]
FROM ${database}.step_rows FINAL
WHERE TraceId IN {traceIds:Array(String)} AND ${in_time}
UNION ALL
SELECT 'reviews', TraceId, toString(toUnixTimestamp64Nano(Timestamp)), [PlanId, toString(Position)]
FROM ${database}.review_rows FINAL
WHERE TraceId IN {traceIds:Array(String)} AND ${in_time}
UNION ALL
SELECT 'links', TraceId, toString(toUnixTimestamp64Nano(Timestamp)), [Key, toString(Side), EndTraceId]
FROM ${database}.link_rows FINAL
WHERE TraceId IN {traceIds:Array(String)} AND ${in_time}
