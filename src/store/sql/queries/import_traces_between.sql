-- All generations of the records that may start between two times.
TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.plan_keys
  WHERE Kind = 'record' AND Key GLOBAL IN (
    SELECT lower(hex(sipHash128(Dialect, Source, RecordKey)))
    FROM ${database}.plan_states
    WHERE RecordKey != '' AND TraceId GLOBAL IN (
      SELECT TraceId
      FROM ${database}.plan_states
      WHERE Start >= fromUnixTimestamp64Nano({from:Int64}) AND Start <= fromUnixTimestamp64Nano({to:Int64}) ${among}
    )
  )
)
