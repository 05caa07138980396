-- What plans of a page and their sub-plans tell together, by the outermost: when they were last heard of, and what they wait for.
-- A record is its whole trace; of others a trace may have any number of plans.
SELECT
  TraceId AS traceId,
  if(RootPlanId = '', PlanId, RootPlanId) AS rootPlanId,
  toString(toUnixTimestamp64Nano(max(End))) AS end,
  max(MappingVersion) AS mappingVersion,
  max(Redacted) AS redacted,
  arrayMap(wait -> (wait.1, toString(toUnixTimestamp64Nano(wait.2))), groupUniqArrayArray(OpenWaits)) AS openWaits,
  groupUniqArrayArray(ClosedWaits) AS closedWaits
FROM ${database}.plan_states
WHERE TraceId IN {traceIds:Array(String)}
  AND (PlanId IN {planIds:Array(String)} OR RootPlanId IN {planIds:Array(String)} OR TraceId IN {imported:Array(String)})
GROUP BY traceId, rootPlanId
