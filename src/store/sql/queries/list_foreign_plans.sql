-- A page of the traces of other instrumentations that are plans.
SELECT
  Trace AS planId,
  Trace AS rootPlanId,
  Trace AS traceId,
  '' AS dialect,
  Spoken AS convention,
  '' AS source,
  '' AS recordKey,
  '' AS digest,
  0 AS mappingVersion,
  0 AS redacted,
  if(Stood = 'running', 1, 2) AS planSpan,
  toString(toUnixTimestamp64Nano(Began)) AS start,
  toString(toUnixTimestamp64Nano(Until)) AS end,
  Stood AS state,
  ('plan', '', Called, Asked, '', Service) AS facts
FROM (${foreign_plans})
WHERE Began >= fromUnixTimestamp64Nano({from:Int64}) AND Began <= fromUnixTimestamp64Nano({to:Int64}) AND ${where}
ORDER BY Began DESC, traceId DESC
LIMIT {limit:UInt32}
