SELECT * REPLACE (if(State = 'waiting', NULL, DurationMs) AS DurationMs), toBool(State = 'waiting') AS IsOpen
FROM (${open_wait})
