-- The steps of traces: those that have begun and those of plans' lists.
SELECT DISTINCT Key AS step
FROM ${database}.plan_keys
WHERE Kind IN ('step', 'step.listed') AND TraceId IN {traceIds:Array(String)}
