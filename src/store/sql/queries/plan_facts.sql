-- What a later segment does not repeat is said by an earlier one.
WITH argMaxMerge(Facts) AS latest
SELECT
  PlanId AS planId,
  TraceId AS traceId,
  (latest.1, latest.2, argMaxIfMerge(Title), argMaxIfMerge(Request), latest.5, latest.6) AS facts
FROM ${database}.plan_states
WHERE PlanId IN {planIds:Array(String)} AND TraceId IN {traceIds:Array(String)}
GROUP BY PlanId, TraceId
