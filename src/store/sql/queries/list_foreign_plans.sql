-- The traces of other instrumentations that are plans: a page of them in an order, or all.
WITH
  if(Stood = 'waiting', toUnixTimestamp64Nano(Until), NULL) AS waitingFrom,
  ${rank} AS ranked
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
  toString(waitingFrom) AS waitingSince,
  toString(ranked) AS rank,
  ('plan', '', Called, Asked, '', Service) AS facts
FROM (${foreign_plans}) AS listed
${figures}
WHERE Began >= fromUnixTimestamp64Nano({from:Int64}) AND Began <= fromUnixTimestamp64Nano({to:Int64}) AND ${where}
${page}
