-- How far back the newest rows reach that may fill a page: rows, not plans, so that it is a guess.
SELECT toString(toUnixTimestamp64Nano(min(Start))) AS start, count() AS rows
FROM (
  SELECT Start
  FROM ${database}.plan_states
  WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64})
  ORDER BY Start DESC
  LIMIT {rows:UInt32}
)
