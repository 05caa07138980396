-- One row per trace. A span whose parent is not stored is an orphan. The root is the earliest span without a parent, or
-- else the earliest orphan.
WITH
  spans AS (
    SELECT TraceId, SpanId, ParentSpanId, ServiceName, SpanName, Timestamp, Duration, StatusCode = 'Error' AS Failed
    FROM ${database}.otel_traces
    WHERE ${in_places}
      AND SpanState != ${PENDING}
    LIMIT 1 BY TraceId, SpanId
  )
SELECT
  span.TraceId AS traceId,
  argMin(
    (toString(ServiceName), toString(SpanName)),
    (multiIf(ParentSpanId = '', 0, parent.ParentId = '', 1, 2), Timestamp)
  ) AS root,
  toString(toUnixTimestamp64Nano(min(Timestamp))) AS start,
  toString(max(toUnixTimestamp64Nano(Timestamp) + greatest(toInt64(Duration), 0))) AS end,
  toUInt32(count()) AS spans,
  toUInt32(countIf(Failed)) AS errors,
  toUInt32(countIf(ParentSpanId != '' AND parent.ParentId = '')) AS orphans,
  sumMap(map(toString(ServiceName), toUInt32(1))) AS spansByService,
  sumMap(map(toString(ServiceName), toUInt32(Failed))) AS errorsByService
FROM spans AS span
LEFT JOIN (SELECT TraceId, SpanId AS ParentId FROM spans) AS parent
  ON span.TraceId = parent.TraceId AND span.ParentSpanId = parent.ParentId
GROUP BY traceId
