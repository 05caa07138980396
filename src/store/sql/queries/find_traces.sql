SELECT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind = {kind:String} AND Key = {key:String}
GROUP BY TraceId
ORDER BY max(End) DESC, TraceId
