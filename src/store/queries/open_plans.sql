-- Returns a row if a plan of some traces has not ended.
SELECT 1
FROM ${database}.plan_rows FINAL
WHERE TraceId IN {traceIds:Array(String)} AND Listed > 0
  AND State IN {unended:Array(String)} AND NOT ifNull(InterruptedAt <= now64(9), false)
LIMIT 1
