-- How far back the newest traces reach that may fill a page: each by its latest row, so that it is a guess.
SELECT toString(toUnixTimestamp64Nano(min(Start))) AS start, count() AS traces
FROM (
  SELECT Start, TraceId
  FROM ${database}.${table}
  WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64})
  ${among}
  ORDER BY Start DESC
  LIMIT 1 BY TraceId
  LIMIT {traces:UInt32}
)
