-- The services with spans of the last day that end in the future, or that lack values because the sender dropped them.
SELECT
  ServiceName AS service,
  toUInt32(count()) AS spans,
  toFloat64(max(endsInMs)) AS aheadMs,
  toUInt32(countIf(lost > 0)) AS incomplete,
  toFloat64(sum(lost)) AS dropped
FROM (
  SELECT
    ServiceName,
    date_diff('millisecond', now64(9), Timestamp + toIntervalNanosecond(Duration)) AS endsInMs,
    toUInt64OrZero(SpanAttributes['${dropped}']) AS lost
  FROM ${database}.otel_traces WHERE Timestamp > now() - INTERVAL 1 DAY
)
WHERE endsInMs > {toleranceMs:UInt32} OR lost > 0
GROUP BY service
ORDER BY service
LIMIT 20
