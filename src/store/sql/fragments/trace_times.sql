SELECT
  TraceId,
  min(toDateTime(Timestamp)) AS Start,
  max(toDateTime(Timestamp)) AS End,
  groupUniqArray(toStartOfMinute(Timestamp)) AS Minutes
FROM ${spans}
WHERE TraceId != ''
GROUP BY TraceId
