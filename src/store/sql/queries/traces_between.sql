-- The traces of plans that may start between two times.
TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.${table}
  WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64}) ${among}
)
