SELECT TraceId AS ResumedTrace, PlanId AS ResumedPlan, fromUnixTimestamp64Nano(toInt64(toUInt64(max(Latest)))) AS Since
FROM ${database}.plan_states
WHERE bitShiftRight(Latest, 96) > 0
GROUP BY ResumedTrace, ResumedPlan
