SELECT
  * REPLACE (if(Waiting, NULL, DurationMs) AS DurationMs),
  ifNull(Waiting, State = 'running') AS IsOpen
FROM (${wait})
