-- The keys of the steps of traces: those that have begun and those of plans' lists.
SELECT DISTINCT toString(Key) AS step
FROM ${database}.plan_keys
WHERE Kind IN ('step', 'step.listed') AND TraceId IN {traceIds:Array(String)}
