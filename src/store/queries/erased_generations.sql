-- The traces of all generations of some records.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind = 'record' AND Key IN (SELECT sipHash64(arrayJoin({recordKeys:Array(String)})))
