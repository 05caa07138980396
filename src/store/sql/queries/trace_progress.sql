-- How far some traces have come: every row of them that is inserted raises one of the two numbers, but for a snapshot that
-- is older than what is there.
SELECT
  TraceId AS traceId,
  sum(Rows) AS rows,
  toString(toUnixTimestamp64Nano(max(End))) AS end
FROM ${database}.plan_states
WHERE TraceId IN {traceIds:Array(String)} AND Start >= fromUnixTimestamp64Nano({since:Int64})
GROUP BY TraceId
