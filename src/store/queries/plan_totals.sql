-- The totals of plans by the interval in which they started; the whole in one interval if it is 0 long.
SELECT
  toString(if({bucketMs:Int64} = 0, 0, intDiv(started, greatest({bucketMs:Int64}, 1)) * {bucketMs:Int64})) AS startMs,
  toString(min(started)) AS first,
  toString(max(started)) AS last,
  toUInt32(count()) AS plans,
  toUInt32(countIf(state IN (${over}))) AS ended,
  toUInt32(countIf(state = 'completed')) AS completed,
  toUInt32(countIf(state = 'failed')) AS failed,
  sum(ifNull(cost, 0)) AS costUsd,
  toFloat64(sum(tokens)) AS tokens,
  quantile(0.95)(took) / 1000000 AS p95DurationMs,
  toUInt32(countIf(unsafe > 0)) AS unsafeTaken
FROM (
  SELECT
    toUnixTimestamp64Milli(Timestamp) AS started,
    ${state} AS state,
    ${duration} AS took,
    CostUsd AS cost,
    TotalTokens AS tokens,
    UnsafeTaken AS unsafe
  FROM ${database}.plan_rows FINAL
  WHERE ${where}
)
GROUP BY startMs
ORDER BY min(started)
