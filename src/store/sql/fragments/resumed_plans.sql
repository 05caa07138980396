SELECT TraceId AS ResumedTrace, PlanId AS ResumedPlan, fromUnixTimestamp64Nano(toInt64(toUInt64(bitShiftRight(max(Latest), 32)))) AS Since
FROM ${database}.plan_states
WHERE bitShiftRight(Latest, 97) > 0
GROUP BY ResumedTrace, ResumedPlan
