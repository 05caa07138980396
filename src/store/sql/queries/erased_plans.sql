-- The plans of traces; of an imported record also the key by which all its generations are found.
SELECT
  TraceId AS traceId,
  PlanId AS planId,
  if(max(RootPlanId) = '', PlanId, max(RootPlanId)) AS rootPlanId,
  max(Dialect) AS dialect,
  max(Source) AS source,
  if(max(RecordKey) = '', '', lower(hex(sipHash128(max(Dialect), max(Source), max(RecordKey))))) AS recordKey
FROM ${database}.plan_states
WHERE TraceId IN {traceIds:Array(String)}
GROUP BY TraceId, PlanId
