-- The newest of the plans that start between two times, with the traces that they are in.
SELECT TraceId AS traceId, PlanId AS planId, toString(toUnixTimestamp64Nano(Began)) AS start, toBool(IsImport) AS isImport
FROM (
  ${starts}
)
WHERE Began >= fromUnixTimestamp64Nano({from:Int64}) AND Began <= fromUnixTimestamp64Nano({to:Int64}) AND IsListed
ORDER BY Began DESC
LIMIT {plans:UInt32} WITH TIES
