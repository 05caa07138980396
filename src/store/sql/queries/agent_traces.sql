-- The records of a source that have agents of some steps, each by its last generation, the latest first.
SELECT TraceId AS traceId
FROM (${generations})
WHERE Dialect = {dialect:String} AND Source = {source:String}
ORDER BY Generation DESC, traceId
