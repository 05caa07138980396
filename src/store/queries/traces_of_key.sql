SELECT TraceId
FROM ${database}.plan_keys
WHERE Kind IN {kinds:Array(String)} AND Key IN (SELECT sipHash64(arrayJoin({keys:Array(String)})))
