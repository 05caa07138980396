-- The hours between two times whose model calls may have changed since their totals were worked out: whatever comes, and what is
-- merged, changes the sum of what rows are told apart by.
SELECT toUnixTimestamp(CallHour) AS hour, toString(sum(Mark)) AS checksum
FROM (
  SELECT toStartOfHour(toDateTime(Timestamp, 'UTC')) AS CallHour, cityHash64(Timestamp, Duration) AS Mark
  FROM ${database}.otel_traces
  WHERE Role = 'llm' AND Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND Timestamp <= fromUnixTimestamp64Nano({to:Int64})
  UNION ALL
  SELECT toStartOfHour(toDateTime(Timestamp, 'UTC')), cityHash64(Timestamp, Duration, Ended)
  FROM ${database}.foreign_spans
  WHERE Kind = 'llm' AND Timestamp >= fromUnixTimestamp64Nano({from:Int64}) AND Timestamp <= fromUnixTimestamp64Nano({to:Int64})
)
GROUP BY CallHour
HAVING (CallHour, sum(Mark)) GLOBAL NOT IN (SELECT Hour, Checksum FROM ${database}.model_call_totals)
ORDER BY hour
