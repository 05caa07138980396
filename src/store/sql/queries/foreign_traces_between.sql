-- The traces of other instrumentations that may start between two times.
TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.foreign_plans
  WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64}) ${among}
)
