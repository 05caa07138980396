-- Which service's spans stand below which other's, in the newest traces of an interval.
WITH
  traces AS (
    SELECT TraceId, min(Start) AS First, max(End) AS Last
    FROM ${database}.otel_traces_trace_id_ts
    WHERE End + INTERVAL 1 SECOND >= fromUnixTimestamp64Nano({since:Int64}) AND Start <= fromUnixTimestamp64Nano({until:Int64})
    GROUP BY TraceId
    ORDER BY Last DESC
    LIMIT {traces:UInt32}
  ),
  spans AS (
    SELECT TraceId, SpanId, ParentSpanId, ServiceName
    FROM ${database}.otel_traces
    WHERE TraceId GLOBAL IN (SELECT TraceId FROM traces)
      AND Timestamp >= (SELECT toDateTime64(min(First), 9) FROM traces)
      AND Timestamp <= (SELECT toDateTime64(max(Last), 9) + INTERVAL 1 SECOND FROM traces)
      AND NOT has(SpanAttributes.keys, ${ATTR.spanState})
    LIMIT 1 BY TraceId, SpanId
  )
SELECT parent.ServiceName AS parent, child.ServiceName AS child, toString(count()) AS calls
FROM (SELECT TraceId, ParentSpanId, ServiceName FROM spans WHERE ParentSpanId != '') AS child
INNER JOIN (SELECT TraceId, SpanId, ServiceName FROM spans) AS parent
  ON child.TraceId = parent.TraceId AND child.ParentSpanId = parent.SpanId
GROUP BY parent, child
ORDER BY parent, child
