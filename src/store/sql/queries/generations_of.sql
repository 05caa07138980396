-- All generations of the records of some rows.
TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.plan_keys
  WHERE Kind = 'record' AND Key GLOBAL IN (
    SELECT lower(hex(sipHash128(Dialect, Source, RecordKey)))
    FROM ${database}.plan_states
    WHERE RecordKey != '' AND ${of}
  )
)
