-- The keys of the steps of traces: steps that have begun, and steps in the lists of plans.
SELECT DISTINCT toString(Key) AS step
FROM ${database}.plan_keys
WHERE Kind IN ('step', 'step.listed') AND TraceId IN {traceIds:Array(String)}
