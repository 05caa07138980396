SELECT
  TraceId,
  min(toDateTime(Timestamp)) AS Start,
  max(toDateTime(Timestamp)) AS End,
  groupUniqArray(toStartOfHour(Timestamp, 'UTC')) AS Hours
FROM ${spans}
WHERE TraceId != ''
GROUP BY TraceId
