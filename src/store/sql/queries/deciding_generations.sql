SELECT *
FROM (${traces})
ORDER BY Generation DESC, TraceId
LIMIT 1 BY Dialect, Source, RecordKey, if(Dialect = '', TraceId, '')
