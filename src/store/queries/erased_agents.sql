-- The traces with a plan whose id is a step of some traces: a record of an agent alone has its step's id.
SELECT DISTINCT TraceId AS traceId
FROM ${database}.plan_keys
WHERE Kind = 'plan' AND TraceId NOT IN {traceIds:Array(String)} AND Key GLOBAL IN (
  SELECT Key
  FROM ${database}.plan_keys
  WHERE Kind IN ('step', 'step.listed') AND TraceId IN {traceIds:Array(String)}
)
