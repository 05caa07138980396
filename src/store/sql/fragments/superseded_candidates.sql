TraceId GLOBAL IN (
  SELECT TraceId
  FROM ${database}.plan_keys
  WHERE Kind = 'record' AND Key GLOBAL IN (
    SELECT Key
    FROM ${database}.plan_keys
    WHERE Kind = 'record'
    GROUP BY Key
    HAVING min(cityHash64(TraceId)) != max(cityHash64(TraceId))
  )
)
