SELECT TraceId
FROM ${database}.plan_keys
WHERE Kind IN {kinds:Array(String)} AND Key IN arrayMap(key -> sipHash64(key), {keys:Array(String)})
