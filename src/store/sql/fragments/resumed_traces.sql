SELECT TraceId FROM ${database}.plan_states WHERE Latest >= bitShiftLeft(toUInt128(1), 97)
