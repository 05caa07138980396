TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.plan_states
  WHERE (Dialect, Source, RecordKey) GLOBAL IN (
    SELECT Dialect, Source, RecordKey
    FROM ${database}.plan_states
    WHERE RecordKey != ''
    GROUP BY Dialect, Source, RecordKey
    HAVING uniqExact(TraceId) > 1
  )
)
