-- What a later segment does not repeat is said by an earlier one.
WITH argMaxMerge(Facts) AS latest
SELECT
  PlanId AS planId,
  TraceId AS traceId,
  (latest.1, latest.2, argMaxMerge(Title), argMaxMerge(Request), latest.3, latest.4) AS facts
FROM ${database}.plan_states
WHERE TraceId IN {traceIds:Array(String)} AND PlanId IN {planIds:Array(String)}
GROUP BY TraceId, PlanId
