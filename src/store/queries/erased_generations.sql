-- The traces of all generations of some records.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind = 'record' AND Key IN arrayMap(key -> sipHash64(key), {recordKeys:Array(String)})
