-- The traces of plans that may start between two times, and all generations of the records among them.
TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.plan_states
  WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64})
)
OR TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.plan_states
  WHERE RecordKey != '' AND (Dialect, Source, RecordKey) GLOBAL IN (
    SELECT Dialect, Source, RecordKey
    FROM ${database}.plan_states
    WHERE RecordKey != '' AND TraceId GLOBAL IN (
      SELECT TraceId
      FROM ${database}.plan_states
      WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64})
    )
  )
)
