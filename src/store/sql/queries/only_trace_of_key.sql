-- The trace that carries a key, if no other does; else ''.
SELECT if(min(TraceId) = max(TraceId), min(TraceId), '')
FROM ${database}.plan_keys
WHERE ${has_key}
