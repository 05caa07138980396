-- The imported records of agents alone, which records of their source show where traces have those agents' steps: such a record
-- has no plan but its step.
SELECT TraceId AS traceId
FROM ${database}.plan_states
WHERE TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.plan_keys
  WHERE Kind = 'plan' AND Key GLOBAL IN (${steps})
)
GROUP BY TraceId
HAVING max(Dialect) != '' AND has({sources:Array(String)}, max(Source)) AND countIf(PlanId GLOBAL NOT IN (${steps})) = 0
