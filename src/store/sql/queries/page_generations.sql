-- The traces of all generations of the records of some traces.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind = 'record' AND Key GLOBAL IN (
  SELECT lower(hex(sipHash128(Dialect, Source, RecordKey)))
  FROM ${database}.plan_states
  WHERE RecordKey != '' AND TraceId IN {traceIds:Array(String)}
)
