-- A record of the dialect asked for first, then live traces before imports; of live ones the latest start, of imports the
-- last generation, whose first part is the latest time in the record.
SELECT TraceId AS traceId, Dialect AS dialect, Source AS source, RecordKey AS recordKey
FROM (${traces})
WHERE ${where}
ORDER BY
  dialect = {dialect:String} OR startsWith(dialect, concat({dialect:String}, ':')) OR (dialect = '' AND {dialect:String} = {liveDialect:String}) DESC,
  dialect = '' DESC,
  if(dialect = '', Start, toDateTime64(0, 9)) DESC,
  Generation DESC,
  traceId
LIMIT 1
