SELECT Key
FROM ${database}.plan_keys
WHERE Kind IN ('step', 'step.listed') AND TraceId IN {traceIds:Array(String)}
