-- The traces with a plan whose id is that of a step in some traces: the record of a single agent has the id of its
-- step.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind = 'plan' AND TraceId NOT IN {traceIds:Array(String)} AND Key GLOBAL IN (
  SELECT Key
  FROM ${database}.plan_keys
  WHERE Kind IN ('step', 'step.listed') AND TraceId IN {traceIds:Array(String)}
)
