SELECT PlanId AS planId, TraceId AS traceId, argMaxMerge(Facts) AS facts
FROM ${database}.plan_states
WHERE PlanId IN {planIds:Array(String)} AND TraceId IN {traceIds:Array(String)}
GROUP BY PlanId, TraceId
