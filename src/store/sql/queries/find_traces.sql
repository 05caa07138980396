SELECT TraceId AS traceId
FROM (${traces_of_key})
GROUP BY TraceId
ORDER BY max(End) DESC, TraceId
