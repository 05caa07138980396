SELECT
  TraceId AS traceId,
  max(RootPlanId) AS rootPlanId,
  max(Dialect) AS dialect,
  max(Source) AS source,
  max(RecordKey) AS recordKey
FROM ${database}.plan_states
WHERE PlanId = {key:String} AND TraceId GLOBAL IN (SELECT TraceId FROM (${traces_of_key}))
GROUP BY TraceId
LIMIT 2
