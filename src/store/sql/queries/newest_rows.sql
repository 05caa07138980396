-- From when on so many rows of plans tell of something, the newest of some time: read from the end of what lies by time.
SELECT toString(toUnixTimestamp64Nano(min(Start))) AS start, count() AS rows
FROM (
  SELECT Start
  FROM ${database}.${table}
  WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64})
  ORDER BY ${newest}
  LIMIT {rows:UInt32}
)
