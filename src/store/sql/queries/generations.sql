SELECT *
FROM (${traces})
ORDER BY Generation DESC, TraceId
LIMIT ${which} BY Dialect, Source, RecordKey, if(Dialect = '', TraceId, '')
