SELECT TraceId
FROM ${database}.plan_states
GROUP BY TraceId, PlanId
HAVING NOT bitTest(toUInt64(max(Latest)), 31) OR argMaxMerge(State) = 'waiting'
