SELECT TraceId AS ResumedTrace, PlanId AS ResumedPlan, fromUnixTimestamp64Nano(toInt64(toUInt64(bitShiftRight(max(Latest), 32)))) AS Since
FROM ${database}.plan_states
WHERE Latest >= bitShiftLeft(toUInt128(1), 97)
GROUP BY ResumedTrace, ResumedPlan
