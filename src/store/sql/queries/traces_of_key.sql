-- The traces that carry a key, and until when.
SELECT TraceId, max(End) AS End
FROM ${database}.plan_keys
WHERE ${has_key}
GROUP BY TraceId
